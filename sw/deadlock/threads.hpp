/// The threads of a hung wafer, and what each of them waits for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sw/machine/hang.hpp"

namespace weft::isa {
struct Instr;
}

namespace weft::deadlock {

/// A thread of a tile, tiles counted row by row.
struct ThreadRef {
  int tile = 0;
  bool psum = false;
  friend bool operator==(const ThreadRef&, const ThreadRef&) = default;
};

enum class Lack : std::uint8_t {
  Weights,   ///< vaxs, vdot: another message of W
  Command,   ///< at rest: another message of W
  Words,     ///< a word of its color
  Room,      ///< room in the out queue
  Route,     ///< a route for its words (functional model)
  MpEntry,   ///< main has put none
  MpRoom,    ///< psum has taken none
  PmEntry,   ///< psum has put none
  PmRoom,    ///< main has taken none
  PsumIdle,  ///< fork, join
  Nothing,   ///< runs forever
};

/// One thing that a thread needs before it can continue.
struct Wait {
  Lack lack = Lack::Nothing;
  int color = 0;         ///< for Words, Room and Route
  std::uint16_t pc = 0;  ///< address of the waiting instruction; 0 for Command
  friend bool operator==(const Wait&, const Wait&) = default;
};

/// True if both threads have halted and both sequencers are done (docs/reference/pe.md, Rest).
bool rests(const machine::TileHang& tile);
/// True if the thread has neither an instruction to run nor one in its sequencer.
bool ended(const machine::TileHang& tile, bool psum);
/// The instruction at an address of the tile's memory.
isa::Instr instruction(const machine::TileHang& tile, std::uint16_t pc);

/// Everything that a thread waits for; empty if it has ended, except that main of a tile at rest waits for a Command.
std::vector<Wait> waits(const machine::HangSnapshot& s, ThreadRef thread);

}  // namespace weft::deadlock
