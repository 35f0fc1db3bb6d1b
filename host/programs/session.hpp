/// A wafer with a layout: arrays in and out, and runs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/programs/backend.hpp"
#include "host/programs/calls.hpp"
#include "host/programs/layout.hpp"
#include "host/programs/measured_run.hpp"
#include "host/programs/replay.hpp"
#include "sw/asm/arrays.hpp"
#include "sw/machine/shape.hpp"

namespace weft::programs {

class Board;

/// Work of a wafer.
struct Counts {
  std::uint64_t cycles = 0;         ///< 0 on the functional model
  std::uint64_t beats = 0;          ///< of all tiles; 0 on a board
  std::uint64_t multiply_adds = 0;  ///< lanes of beats that multiply; 0 on a board
  std::uint64_t messages = 0;       ///< in and out at the west edge
};

/// Progress of a call.
struct Progress {
  std::string what;                 ///< a kernel, an array, or load
  std::uint64_t done = 0, all = 0;  ///< parts of a transfer; of a run, cycles so far, and 0
};

/// An array of the loaded layout.
struct ArrayInfo {
  Region region;
  assembler::ElementType type{};
  int count = 0;  ///< elements in a tile
};

/// All functions throw Refusal. After a run that did not end, only load() may be called.
class Session {
 public:
  /// A board must have that shape. With 0 for `shape.sram_kib` a board's tiles have what is built, others 48.
  Session(const machine::WaferShape& shape, const Backend& backend);
  Session(const machine::WaferShape& shape, const std::string& backend, int threads)
      : Session(shape, Backend{.name = backend, .threads = threads}) {}
  explicit Session(Board board);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const machine::WaferShape& shape() const;
  /// Resets the wafer, and loads the layout. `check`: first, each kernel that hangs with any arguments is refused
  /// (Stopped); the wafer then keeps its old layout.
  void load(const Layout& layout, bool check = true);

  /// From now on `observer` is called from time to time in all functions that move data or run, on the functional model
  /// between the work of two tiles; empty: no longer. If it returns true, a run returns nothing, and other functions throw
  /// Refusal; the layout must be loaded again.
  void observe(std::function<bool(const Progress&)> observer);

  /// The arrays of the loaded layout.
  std::map<std::string, ArrayInfo> arrays() const;
  /// Arrays have the elements [row][col][element] of their region. Floats are for arrays of bf16, which get the nearest
  /// ones, and of fp32; integers for arrays of int16.
  void set(const std::string& name, std::span<const float> values);
  void set(const std::string& name, std::span<const std::int16_t> values);
  void get(const std::string& name, std::span<float> values);
  void get(const std::string& name, std::span<std::int16_t> values);
  std::vector<float> floats(const std::string& name);
  std::vector<std::int16_t> integers(const std::string& name);

  /// Calls a kernel in all tiles whose program has it, and waits until all tiles rest. `check`: a deadlock check comes
  /// first. Returns the work of the run; nothing if the observer or `interrupted` returned true, which is asked as the
  /// observer is.
  std::optional<Counts> run(const std::string& kernel, const Arguments& arguments, bool check,
                            const std::function<bool()>& interrupted = {});
  /// A run of the kernel from the current state, which this wafer does not execute. Throws Refusal on a board, which
  /// does not show its tiles. `subject`: of that error.
  Replay replay(const std::string& kernel, const Arguments& arguments, const std::string& subject) const;
  /// The next run on the RTL is traced (waves.hpp), also one that hangs.
  void waves(const std::string& file, const std::string& tiles, const std::string& cycles);
  /// The runs since the layout was loaded, if the backend inspects; throws Refusal otherwise.
  const std::vector<MeasuredRun>& measured() const;
  /// Words that the last run sent to the host from a row of tiles, in order.
  const std::vector<std::uint32_t>& words(int row) const;
  /// Work since the layout was loaded.
  Counts counts() const;
  /// Beats of each tile since then, [row][col].
  std::vector<std::uint64_t> tile_beats() const;

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace weft::programs
