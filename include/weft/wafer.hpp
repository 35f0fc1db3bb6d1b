/// A wafer of a program's own (docs/reference/programs.md).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/debugger.hpp"
#include "weft/export.hpp"
#include "weft/layout.hpp"
#include "weft/log.hpp"

namespace weft {
inline namespace v0 {

struct WaferSettings {
  int rows = 4, cols = 4;         ///< tiles
  std::string backend = "model";  ///< model, rtl, emulated, emulated:udp, udp:ADDRESS[:PORT], or a serial device
  int lanes = 4;                  ///< of a tile: 2, 4, 8 or 16
  int sram_kib = 0;               ///< of a tile, 1 to 128; 0: those of the board, 48 on a simulated wafer
  int threads = 1;                ///< of the RTL; neither bits nor cycles depend on it
  int baud = 2000000;             ///< of a board at a serial device
  bool inspect = false;           ///< measure runs by stall reason: RTL that counts, or a board with counters
  bool general = false;           ///< general tiles (docs/reference/general_tile.md)
};

/// Work of a wafer.
struct Work {
  std::uint64_t cycles = 0;         ///< 0 on the functional model
  std::uint64_t beats = 0;          ///< of all tiles; 0 on a board
  std::uint64_t multiply_adds = 0;  ///< lanes of beats that multiply; 0 on a board
  std::uint64_t messages = 0;       ///< in and out at the west edge
};

/// An array that a program declares: rows x cols tiles with `count` elements each.
struct ArrayShape {
  int rows = 0, cols = 0, count = 0;
  std::string type;  ///< bf16, int16 or fp32
};

/// Progress of a call.
struct Progress {
  std::string what;                 ///< a kernel, an array, or load
  std::uint64_t done = 0, all = 0;  ///< parts of a transfer; of a run, cycles so far, and 0
};

/// Called in the calling thread from time to time; true ends the work.
using Observer = std::function<bool(const Progress&)>;

/// Arguments of a kernel, by the names of its parameters: -32768 to 65535. bf16() makes one of a number.
using Arguments = std::map<std::string, int>;

/// The bits of the bf16 nearest to a number.
WEFT_API int bf16_bits(double value);

struct RunOptions {
  bool check = true;             ///< prove first that the run cannot deadlock
  Interrupted interrupted = {};  ///< asked from time to time on the RTL and on a board
  bool remember = false;         ///< keep the state before the run, for Wafer::first_difference(); not on a board
};

/// Used by one thread at a time; a call during another one throws Error. All functions throw Error. After a run that
/// hangs or is interrupted, only load() may be called.
class WEFT_API Wafer {
 public:
  explicit Wafer(const WaferSettings& settings);
  ~Wafer();
  Wafer(const Wafer&) = delete;
  Wafer& operator=(const Wafer&) = delete;

  /// Resets the wafer, and loads programs and routes. Memory keeps its contents. A layout with a kernel that deadlocks
  /// with any arguments is refused, unless `check` is false; the wafer then keeps its old layout.
  void load(const Layout& layout, bool check = true);

  /// From now on `observer` is called while data is moved or a kernel runs, on the functional model between
  /// the work of two tiles; empty: no longer. If it ends a run, run() returns nothing; if it ends another call, that one throws Error.
  void observe(Observer observer);

  /// The arrays of the loaded layout, by name.
  std::map<std::string, ArrayShape> arrays() const;
  /// Sets an array from [row][col][element] of its region: one of bf16 (rounded to nearest) or of fp32.
  void set(const std::string& array, std::span<const float> values);
  /// As above, one of int16.
  void set(const std::string& array, std::span<const std::int16_t> values);
  /// The elements of an array of bf16 or fp32.
  std::vector<float> floats(const std::string& array);
  /// As above, into `values`.
  void get(const std::string& array, std::span<float> values);
  /// Copies the elements of an array of int16 into `values`.
  void get(const std::string& array, std::span<std::int16_t> values);
  /// The elements of an array of int16.
  std::vector<std::int16_t> integers(const std::string& array);

  /// Calls a kernel in all tiles whose program has it, and returns its work when all tiles rest; nothing if it was
  /// interrupted.
  std::optional<Work> run(const std::string& kernel, const Arguments& arguments = {}, const RunOptions& options = {});
  /// Words that the last run sent to the host from a row of tiles.
  std::vector<std::uint32_t> words(int row) const;
  /// Work since load(), transfers of arrays included.
  Work work() const;
  /// Beats of each tile since load(), [row][col]. Not on a board.
  std::vector<std::uint64_t> tile_beats() const;

  /// A debugger at the beginning of a run with the current contents of arrays; this wafer runs nothing. Not on a board.
  Debugger debug(const std::string& kernel, const Arguments& arguments = {});
  /// Repeats the last run, which RunOptions::remember has kept, on the RTL and on the functional model, and returns
  /// lines about the first instruction in which they differ: the tile, the place, and for each backend the value and
  /// the instruction. Empty if they do not differ, or if the observer ends the call.
  std::string first_difference() const;

  /// The next run is traced, also if it hangs: an FST file with a view for GTKWave. `tiles`: "0,0", "0-3,1" or "all";
  /// `cycles`: "100-400", "100-", or empty for all. Only on the RTL.
  void waves(const std::string& file, const std::string& tiles = "all", const std::string& cycles = "");
  /// Cycles of the last run by thread and stall reason, as "main.issued" or "psum.credit", of each tile [row][col]
  /// (docs/explanation/stalls.md). Needs WaferSettings::inspect, as the two below.
  std::map<std::string, std::vector<std::uint64_t>> stalls() const;
  /// The runs since load() as text: a table of cycles by kernel and stall reason, and a map of the tiles.
  std::string profile() const;
  /// Writes them as JSON for ui.perfetto.dev.
  void save_profile(const std::string& file) const;

 private:
  class WEFT_LOCAL Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace v0
}  // namespace weft
