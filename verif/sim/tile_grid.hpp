/// `rows x cols` tiles and the links between them: copies of one Verilated router and one Verilated PE.
#pragma once

#include <verilated.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "verif/sim/tally.hpp"
#include "verif/sim/tile_view.hpp"
#include "verif/wafer.hpp"

namespace weft {

/// Colors of the Verilated modules.
#ifdef WEFT_COLORS  // a choice of CMake's, for tests
inline constexpr int kBuiltColors = WEFT_COLORS;
#else
inline constexpr int kBuiltColors = isa::kWaferColors;
#endif

/// What a tile of column 0 exchanges with the cell to its west in one cycle.
struct WestLink {
  bool valid = false;
  std::uint64_t msg = 0;
  std::uint32_t credit = 0;  // a bit per color
};

/// The tiles of a wafer, whatever their lanes.
class TileGrid {
 public:
  virtual ~TileGrid() = default;

  /// One clock edge of everything, with the reset set; messages on their way between tiles are gone.
  virtual void reset() = 0;
  /// One clock edge of everything that is not asleep; messages and credits are carried to the neighbours. What leaves
  /// column 0 to the west is left in `west_out`.
  virtual void cycle() = 0;
  /// After cycle(): what tile (row, 0) sent to the west at the last edge.
  virtual const WestLink& west_out(int row) const = 0;
  /// After cycle(): what the cell west of (row, 0) sends to it.
  virtual void west_in(int row, const WestLink& link) = 0;

  /// A clock edge may change something.
  virtual bool awake() const = 0;
  virtual std::uint64_t link_messages() const = 0;  ///< since reset
  virtual WaferCounters work() const = 0;
  /// Parts of cycles that a second thread has done, or a third.
  virtual std::uint64_t helped() const = 0;

  virtual std::vector<std::uint16_t> sram(int row, int col, int elements) const = 0;
  virtual std::uint8_t flags(int row, int col) const = 0;
  virtual TileState state(int row, int col) const = 0;
  /// All of it, after take_back().
  virtual TileStandstill standstill(int row, int col) const = 0;
  /// How often each thread (0: main) began the instruction at an address, [thread * IDEPTH + address] since the tiles
  /// were made; empty if this build does not count.
  virtual std::vector<std::uint32_t> executed(int row, int col) const = 0;
  /// What the tile counted before its last MARK. Throws std::logic_error if this simulator does not count (TALLY of
  /// weft_simulator in CMake).
  virtual TallyRecord tally(int row, int col) = 0;
  /// Appends every record from now on, of all tiles, in the order in which they were taken (nullptr: no more). Throws
  /// as tally().
  virtual void log_tallies(TallyLog* log) = 0;
  /// Edges that take back what was delivered, and do no more: they need not be made for any other reason. Afterwards
  /// debug() and running() tell the truth.
  virtual void take_back() = 0;

  virtual std::uint64_t debug(int row, int col) const = 0;  ///< dbg_t of rtl/pe/pe_pkg.sv, while the PE is asleep
  /// Takes a credit away from a router's link out, as a fault of its hardware might.
  virtual void lose_credit(int row, int col, int port, int color) = 0;
  /// Where the threads of a PE are that is awake, in words; nothing of one that sleeps.
  virtual std::string running(int row, int col) const = 0;

  /// Makes a tile at rest what `state` says: memory, accumulators, registers, control registers, what commands left.
  /// Its program, routes, handoff queues, flags and counters stay.
  virtual void put(int row, int col, const TileState& state) = 0;

  /// From now on the tile has a clock edge in every cycle, asleep or not, so that view() is what it is in the RTL.
  virtual void watch(int row, int col) = 0;
  virtual void watch_none() = 0;
  /// Before cycle(): what a watched tile does in this cycle.
  virtual TileView view(int row, int col) = 0;
};

/// Tiles of that many lanes, in reset; `context` must outlive them. Defined for the lanes that are built.
template <int Lanes>
std::unique_ptr<TileGrid> make_tiles(VerilatedContext& context, const WaferShape& shape, int threads);

/// Tiles of `shape.lanes` lanes and `shape.colors` colors, whose rows so many threads share, at most one a row. Throws
/// std::invalid_argument if they are not built, or cannot be: more than 128 KiB.
std::unique_ptr<TileGrid> make_tile_grid(VerilatedContext& context, const WaferShape& shape, int threads);

}  // namespace weft
