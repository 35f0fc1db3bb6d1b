/// The vector unit while main has it: when beats issue, if each waits for what it needs (docs/pe.md, Pipeline).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "isa.hpp"
#include "sw/machine/shape.hpp"

namespace weft {

/// The first element of memory's upper half (docs/memory.md).
inline int upper_half(const WaferShape& wafer) {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(wafer.sram_elements() - 1)));
}

/// A vector instruction of main as it is captured: fields, registers, control registers.
struct VectorCall {
  isa::Instr in;
  std::uint16_t rd = 0, ra = 0, rb = 0, rc = 0;
  int vl = 1, rep = 1;
  std::uint16_t sta = 0, stb = 0, std = 0, str = 0;
};

/// Times in cycles. Beats issue in order, one a cycle at most.
class Beats {
 public:
  explicit Beats(const WaferShape& wafer);

  /// All beats of a `vf` that may begin behind `from`.
  void vf(const VectorCall& call, double from);
  /// The beats of `weights` of a `vaxs`, which all add to the same entries.
  void vaxs(const VectorCall& call, int weights, double from);
  /// The last beat that was issued.
  double issued() const { return issued_; }
  /// Everything is written.
  double written() const { return written_; }
  /// Entries of R that psum has written, or memory: whatever comes from here on may be read at `time`.
  void all_at(double time) { issued_ = std::max(issued_, time); }
  std::uint64_t count() const { return count_; }
  /// Operands that were read of memory, of the half of it that has more: it reads one a cycle.
  std::uint64_t reads() const { return std::max(reads_[0], reads_[1]); }
  /// Cycles in which a second operand was read alone, as it is in the first one's half.
  std::uint64_t fetches() const { return fetches_; }
  /// One more that is read, at this address.
  void read(std::uint16_t address) { ++reads_[address < upper_half_ ? 0 : 1]; }

 private:
  struct Operands;
  void beat(const Operands& beat);
  int word(std::uint16_t address) const { return address / lanes_ & (kWords - 1); }
  bool same_half(std::uint16_t a, std::uint16_t b) const { return (a < upper_half_) == (b < upper_half_); }

  static constexpr int kWords = 128;  ///< that the interlock tells from each other
  int lanes_, upper_half_;
  double table_cycles_;
  double issued_ = 0, written_ = 0;
  double table_ = -100;                          ///< the last beat with a table function
  double read_c_ = -100;                         ///< that read c of R
  std::array<double, WaferShape::kRDepth> r_{};  ///< [entry] when it is written
  std::array<double, kWords> m_{};               ///< [word, by its low bits]
  std::uint64_t count_ = 0;
  std::array<std::uint64_t, 2> reads_{};  ///< [lower, upper half]
  std::uint64_t fetches_ = 0;
};

}  // namespace weft
