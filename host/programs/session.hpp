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

#include "host/programs/board.hpp"
#include "host/programs/calls.hpp"
#include "host/programs/layout.hpp"
#include "sw/asm/arrays.hpp"
#include "sw/machine/shape.hpp"

namespace weft::programs {

/// Work of a wafer.
struct Counts {
  std::uint64_t cycles = 0;         ///< 0 on the functional model
  std::uint64_t beats = 0;          ///< of all tiles; 0 on a board
  std::uint64_t multiply_adds = 0;  ///< lanes of beats that multiply; 0 on a board
  std::uint64_t messages = 0;       ///< in and out at the west edge
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
  static constexpr int kBaud = 2000000;

  /// `backend`: model, rtl, or a board (Board::open), which must have that shape. With 0 for `shape.sram_kib` a board's
  /// tiles have what is built, others 48. `threads`: of the RTL. `baud`: of a board at a serial line.
  Session(const machine::WaferShape& shape, const std::string& backend, int threads, int baud = kBaud);
  explicit Session(Board board);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const machine::WaferShape& shape() const;
  /// Resets the wafer, and loads the layout. `check`: first, each kernel that hangs with any arguments is refused
  /// (Stopped); the wafer then keeps its old layout.
  void load(const Layout& layout, bool check = true);

  /// The arrays of the loaded layout.
  std::map<std::string, ArrayInfo> arrays() const;
  /// Arrays have the elements [row][col][element] of their region. Floats are for arrays of bf16, which get the nearest
  /// ones, and of fp32; integers for arrays of int16.
  void set(const std::string& name, std::span<const float> values);
  void set(const std::string& name, std::span<const std::int16_t> values);
  std::vector<float> floats(const std::string& name);
  std::vector<std::int16_t> integers(const std::string& name);

  /// Calls a kernel in all tiles whose program has it, and waits until all tiles rest. `check`: a deadlock check comes
  /// first. Returns the work of the run; nothing if `interrupted` returned true, which is asked from time to time on
  /// the RTL and on a board.
  std::optional<Counts> run(const std::string& kernel, const Arguments& arguments, bool check,
                            const std::function<bool()>& interrupted = {});
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
