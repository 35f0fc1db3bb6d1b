/// Snapshot of a hung wafer, as plain data that every machine that runs programs can provide
/// (docs/explanation/hangs.md).
///
/// The state that programs see is in TileState (state.hpp). This header has the rest: messages in flight, and what each
/// sequencer lacks. The wait-for graph is derived from both, by the same code for all machines (sw/deadlock).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"
#include "sw/machine/state.hpp"

namespace weft::machine {

/// State of one thread's sequencer.
struct SequencerState {
  bool busy = false;
  std::uint16_t pc = 0;      ///< address of its instruction, if it is busy
  bool lacks_w = false;      ///< vaxs, vdot: cannot continue without another message of W
  bool lacks_words = false;  ///< psum: its beat lacks a word of its color
  bool lacks_room = false;   ///< psum: the out queue has no room for its beat

  friend bool operator==(const SequencerState&, const SequencerState&) = default;
};

/// Waiting messages, [color]; empty: the machine has no such queues.
using Counts = std::vector<std::uint32_t>;
/// Messages that may still be sent, [color].
using Credits = std::vector<std::uint8_t>;

/// A color that the machine does not know.
inline constexpr std::uint8_t kColorUnknown = 255;

struct TileHang {
  TileState state;
  SequencerState main, psum;
  bool awake = false;           ///< it still runs, in an endless loop
  bool lacks_route = false;     ///< psum waits because some router has no route for its word (model only)
  Counts ramp = {};             ///< in the PE's own buffers, including W
  std::vector<Message> w = {};  ///< the first of W's, at most a few
  /// Out queue of psum: the color of each entry, the front first; kColorUnknown. In a general tile, which has a queue
  /// for each color, color by color.
  std::vector<std::uint8_t> out = {};
  Credits out_credits = {};             ///< credits of the PE's link into the router
  std::array<Counts, 5> buffers = {};   ///< buffers of the router, by input port
  std::array<Credits, 5> credits = {};  ///< credits of the router's links out, by output port

  friend bool operator==(const TileHang&, const TileHang&) = default;
};

/// The west edge of a row.
struct RowHang {
  std::uint64_t delivered = 0;      ///< words, since reset
  std::uint64_t awaited = 0;        ///< words that the host waits for
  Counts outlet = {};               ///< in the outlet
  std::uint32_t cell = 0;           ///< messages in the intake's cell
  std::vector<Message> front = {};  ///< the first of them
  std::uint8_t served = 0;          ///< outputs that it has taken already: 1 the tile, 2 the next cell
  Credits cell_credits = {};        ///< credits of its links: to the tile, to the next cell

  friend bool operator==(const RowHang&, const RowHang&) = default;
};

struct ValveHang {
  std::uint64_t taken = 0;         ///< messages, since reset
  std::uint64_t rest = 0;          ///< messages the host has for it
  std::vector<Message> next = {};  ///< the first of them, at most a few
  Credits credits = {};            ///< credits of its link to the first cell

  friend bool operator==(const ValveHang&, const ValveHang&) = default;
};

/// The host's position in its work.
struct StreamPlace {
  int wafer = -1;  ///< -1: unknown
  std::uint64_t step = 0;
  std::uint64_t micro_batch = 0;
  std::string phase;  ///< the last phase that it has begun to send

  friend bool operator==(const StreamPlace&, const StreamPlace&) = default;
};

/// True if a snapshot includes the tiles' memories. Above 512 MiB for all tiles together it does not, since a hang is a
/// bad moment to need that much.
constexpr bool keeps_memories(const WaferShape& s) { return s.rows * s.cols * s.sram_kib <= 512 * 1024; }

struct HangSnapshot {
  WaferShape shape;
  std::string machine;  ///< "rtl", "model"
  std::string why;      ///< the condition that the host waited for
  int depth = 0;        ///< messages a link buffers for each color; 0: without a bound
  std::uint64_t cycle = 0;
  std::vector<TileHang> tiles = {};  ///< [row * cols + col]
  std::vector<RowHang> rows = {};
  std::vector<ValveHang> valves = {};
  StreamPlace place;

  const TileHang& tile(int row, int col) const { return tiles.at(static_cast<std::size_t>(row * shape.cols + col)); }
  friend bool operator==(const HangSnapshot&, const HangSnapshot&) = default;
};

}  // namespace weft::machine
