/// Breakpoints of the debugger.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/inspect/debug/live_target.hpp"

namespace weft::inspect::debug {

struct Breakpoint {
  enum class Kind : std::uint8_t { Instruction, Message, Phase, Write, Flag };
  Kind kind = Kind::Instruction;
  std::string text;                             ///< as the user typed it
  std::optional<sim::TilePlace> tile;           ///< restricts the breakpoint to this tile
  unsigned pc = 0;                              ///< Instruction: a thread arrives at it
  const assembler::Program* program = nullptr;  ///< Instruction: in the tiles that run this program
  unsigned color = 0;                           ///< Message: one of this color enters or leaves the PE
  std::string phase;                            ///< Phase: triggers when it begins
  unsigned first = 0, last = 0;                 ///< Write: elements of SRAM
};

/// A triggered breakpoint: its number, the tile, and what happened there.
struct Hit {
  std::size_t stop = 0;
  sim::TilePlace tile;
  std::string what;
};

class Breakpoints {
 public:
  std::size_t add(Breakpoint stop);
  /// Returns false if there is no breakpoint of this number.
  bool remove(std::size_t number);
  const std::vector<std::optional<Breakpoint>>& all() const { return breakpoints_; }
  /// Call after each unit, with forget() before the first: returns the first breakpoint that the unit triggers.
  std::optional<Hit> check(const LiveTarget& target);
  /// Flags that are already set do not trigger.
  void forget(const LiveTarget& target);

 private:
  std::vector<std::optional<Breakpoint>> breakpoints_;  // by number
  std::vector<std::uint8_t> flags_;                     // [tile], before the last unit
};

}  // namespace weft::inspect::debug
