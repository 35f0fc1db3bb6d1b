/// What the debug chain tells of a tile and of a row's cell, word by word (rtl/debug/debug_pkg.sv).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sw/machine/standstill.hpp"

namespace weft::board {

/// The first words of a tile: the second operand of each thread's last instruction, or what its `ld` has read.
inline constexpr int kMainWord = 0, kPsumWord = 1;

/// state_e of rtl/pe/pe_scalar_pkg.sv, as far as anybody asks.
inline constexpr unsigned kThreadHalted = 0, kThreadFetches = 1, kThreadDecodes = 2;

struct TileStatus {
  unsigned main_state = 0, psum_state = 0;
  /// All that is in the words: threads' addresses, sequencers, handoff queues, buffers, credits, the out queue.
  TileStandstill tile;
  /// The front of color W from the west has still to go to the east, to the PE.
  bool w_to_east = false, w_to_pe = false;
};

/// How many words a tile has. Of kernels' turns, as every board is built. If it counts where its cycles go, two more
/// follow: the tag of the record; in bit 0 the next bit of a count, in bit 1 whether some count did not fit.
int tile_words(int colors, int depth);
TileStatus tile_status(std::span<const std::uint16_t> words, int colors, int depth);

struct CellStatus {
  RowStandstill row;
  std::uint8_t valve_credits = 0;  ///< of a valve's first row
};

CellStatus cell_status(std::uint16_t word, int colors, int depth);

}  // namespace weft::board
