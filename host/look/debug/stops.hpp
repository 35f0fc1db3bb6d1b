/// Where a debugger stops by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/look/debug/live.hpp"

namespace weft::debug {

struct Stop {
  enum class Kind : std::uint8_t { Instruction, Message, Phase, Write, Flag };
  Kind kind = Kind::Instruction;
  std::string text;               ///< as it was given
  std::optional<TilePlace> tile;  ///< only there
  unsigned pc = 0;                ///< Instruction: a thread comes to it
  unsigned color = 0;             ///< Message: one of this color goes into the PE, or comes out of it
  std::string phase;              ///< Phase: it begins
  unsigned first = 0, last = 0;   ///< Write: elements of SRAM
};

/// What a stop was for: the tile, and what happened there.
struct Hit {
  std::size_t stop = 0;
  TilePlace tile;
  std::string what;
};

class Stops {
 public:
  std::size_t add(Stop stop);
  /// False if there is none of this number.
  bool remove(std::size_t number);
  const std::vector<std::optional<Stop>>& all() const { return stops_; }
  /// After a unit, and forget(): the first stop that it was for.
  std::optional<Hit> look(const Live& target);
  /// Flags that are set now are not news.
  void forget(const Live& target);

 private:
  std::vector<std::optional<Stop>> stops_;  // by number
  std::vector<std::uint8_t> flags_;         // [tile], as they were
};

}  // namespace weft::debug
