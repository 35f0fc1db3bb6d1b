/// `rows x cols` tiles and the links between them: copies of one Verilated router and one Verilated PE.
#pragma once

#include <verilated.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "verif/sim/stall_record.hpp"
#include "verif/sim/tile_view.hpp"
#include "verif/wafer.hpp"

namespace weft::sim {

/// Colors of the Verilated modules.
#ifdef WEFT_COLORS  // a CMake option, for tests
inline constexpr int kBuiltColors = WEFT_COLORS;
#else
inline constexpr int kBuiltColors = isa::kWaferColors;
#endif

/// Messages and credits between a tile of column 0 and the cell to its west in one cycle.
struct WestLink {
  bool valid = false;
  std::uint64_t msg = 0;
  std::uint32_t credit = 0;  // a bit per color
};

/// The tiles of a wafer, for any number of lanes.
class TileGrid {
 public:
  virtual ~TileGrid() = default;

  /// One clock edge of everything in reset; messages in flight between tiles are lost.
  virtual void reset() = 0;
  /// One clock edge of everything awake; messages and credits are carried to the neighbours. Messages that leave column
  /// 0 to the west are stored in `west_out`.
  virtual void cycle() = 0;
  /// After cycle(): the message and credits that tile (row, 0) sent to the west at the last edge.
  virtual const WestLink& west_out(int row) const = 0;
  /// After cycle(): delivers the message and credits from the cell west of (row, 0).
  virtual void west_in(int row, const WestLink& link) = 0;

  /// A clock edge may change the state.
  virtual bool awake() const = 0;
  virtual std::uint64_t link_messages() const = 0;  ///< since reset
  virtual WaferCounters work() const = 0;
  /// Parts of cycles done by threads other than the first.
  virtual std::uint64_t helped() const = 0;

  virtual std::vector<std::uint16_t> sram(int row, int col, int elements) const = 0;
  virtual std::uint8_t flags(int row, int col) const = 0;
  virtual machine::TileState state(int row, int col) const = 0;
  /// Complete snapshot of a tile; call after fetch_states().
  virtual machine::TileHang hang_snapshot(int row, int col) const = 0;
  /// Counts how often each thread (0: main) began the instruction at an address, [thread * IDEPTH + address] since the
  /// tiles were created; empty if this build does not count.
  virtual std::vector<std::uint32_t> executed(int row, int col) const = 0;
  /// The record of the tile's last MARK. Throws std::logic_error if this simulator does not count (STALLS of
  /// weft_simulator in CMake).
  virtual StallRecord stall_record(int row, int col) = 0;
  /// Appends every record of all tiles from now on, in order of creation (nullptr: stop). Throws as stall_record().
  virtual void log_stalls(StallLog* log) = 0;
  /// Executes the edges of PEs that only clear valid_o and credit_o, and are skipped otherwise. Afterwards debug() and
  /// running() are accurate.
  virtual void fetch_states() = 0;

  virtual std::uint64_t debug(int row, int col) const = 0;  ///< dbg_t of rtl/pe/weft_pe_pkg.sv, while the PE is asleep
  /// Removes a credit from a router's output link, as a hardware fault might.
  virtual void lose_credit(int row, int col, int port, int color) = 0;
  /// Description of the threads of an awake PE; empty for a sleeping one.
  virtual std::string running(int row, int col) const = 0;

  /// Sets the memory, accumulators, registers, control registers and command state of a tile at rest. Its program,
  /// routes, handoff queues, flags and counters stay.
  virtual void set_state(int row, int col, const machine::TileState& state) = 0;

  /// From now on the tile has a clock edge in every cycle, asleep or not, so that view() matches the RTL.
  virtual void watch(int row, int col) = 0;
  virtual void watch_none() = 0;
  /// Before cycle(): the activity of a watched tile in this cycle.
  virtual TileView view(int row, int col) = 0;
};

/// Creates tiles with that many lanes, general ones or not, in reset; `context` must outlive them. Defined for those
/// that are built.
template <int Lanes, bool General>
std::unique_ptr<TileGrid> make_tiles(VerilatedContext& context, const machine::WaferShape& shape, int threads);

/// Creates tiles of `shape.lanes` lanes and `shape.colors` colors, general ones if `shape.general`, whose rows are
/// shared by `threads` threads, at most one per row. Throws std::invalid_argument if they are not built, or cannot be:
/// more than 128 KiB.
std::unique_ptr<TileGrid> make_tile_grid(VerilatedContext& context, const machine::WaferShape& shape, int threads);

}  // namespace weft::sim
