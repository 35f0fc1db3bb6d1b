/// The threads of a wafer that stands still, and what each of them waits for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sw/machine/standstill.hpp"

namespace weft::hang {

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
  Room,      ///< in the out queue
  Route,     ///< for what it sends (the model)
  MpEntry,   ///< main has put none
  MpRoom,    ///< psum has taken none
  PmEntry,   ///< psum has put none
  PmRoom,    ///< main has taken none
  PsumIdle,  ///< fork, join
  Nothing,   ///< it runs, and comes to no end
};

/// One thing without which a thread comes no further.
struct Wait {
  Lack lack = Lack::Nothing;
  int color = 0;         ///< of Words, Room and Route
  std::uint16_t pc = 0;  ///< the instruction that lacks it; of Command 0
  friend bool operator==(const Wait&, const Wait&) = default;
};

/// Both threads have halted, and both sequencers are done (docs/pe.md, Rest).
bool rests(const TileStandstill& tile);
/// The thread has neither an instruction to run nor one in its sequencer.
bool ended(const TileStandstill& tile, bool psum);
/// The instruction at an address of the tile's memory.
isa::Instr instruction(const TileStandstill& tile, std::uint16_t pc);

/// What a thread lacks, all of it; empty if it has ended, but for main of a tile at rest: that lacks a Command.
std::vector<Wait> waits(const Standstill& s, ThreadRef thread);

}  // namespace weft::hang
