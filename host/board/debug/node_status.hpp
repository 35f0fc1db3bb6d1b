/// Decodes the status words of tiles and row cells on the debug chain (rtl/debug/weft_debug_pkg.sv).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sw/machine/hang.hpp"

namespace weft::board {

/// First words of a tile: the second operand of each thread's last instruction, or the result of its `ld`.
inline constexpr int kMainWord = 0, kPsumWord = 1;

/// The states of state_e (rtl/pe/weft_pe_scalar_pkg.sv) that are used here.
inline constexpr unsigned kThreadHalted = 0, kThreadFetches = 1, kThreadDecodes = 2;

struct TileStatus {
  unsigned main_state = 0, psum_state = 0;
  /// All fields that the words contain: addresses of threads, sequencers, handoff queues, buffers, credits, the out
  /// queue.
  machine::TileHang tile;
  /// The front message of color W from the west has still to be forwarded to the east, or to the PE.
  bool w_to_east = false, w_to_pe = false;
};

/// Number of words of a tile; `all_turns`: its router has all turns, not only those of training. A tile that counts
/// cycles has two more words: the tag of the record; and a word with the next bit of a count in bit 0 and an overflow
/// flag in bit 1.
int tile_words(int colors, int depth, bool all_turns = false);
TileStatus tile_status(std::span<const std::uint16_t> words, int colors, int depth, bool all_turns = false);

struct CellStatus {
  machine::RowHang row;
  std::uint8_t valve_credits = 0;  ///< credits of the valve, in its first row
};

CellStatus cell_status(std::uint16_t word, int colors, int depth);

}  // namespace weft::board
