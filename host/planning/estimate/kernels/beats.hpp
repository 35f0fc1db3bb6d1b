/// Models the vector unit while main uses it: issue times of beats under the pipeline's hazards (docs/reference/pe.md,
/// Pipeline).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "isa.hpp"
#include "sw/machine/shape.hpp"

namespace weft::planning {

/// First element of memory's upper half (docs/explanation/memory.md).
inline int upper_half(const machine::WaferShape& wafer) {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(wafer.sram_elements() - 1)));
}

/// A captured vector instruction of main: fields, registers, control registers.
struct VectorCall {
  isa::Instr in;
  std::uint16_t rd = 0, ra = 0, rb = 0, rc = 0;
  int vl = 1, rep = 1;
  std::uint16_t sta = 0, stb = 0, std = 0, str = 0;
};

/// Times in cycles. Beats issue in order, at most one per cycle.
class Beats {
 public:
  explicit Beats(const machine::WaferShape& wafer);

  /// Issues all beats of a `vf` that may begin after `from`.
  void vf(const VectorCall& call, double from);
  /// Issues the beats of `weights` weights of a `vaxs`, which update the same entries, or, interleaved, one sum after
  /// the other.
  void vaxs(const VectorCall& call, int weights, double from);
  /// Issue time of the last beat.
  double issued() const { return issued_; }
  /// Time at which all results are written.
  double written() const { return written_; }
  /// psum has written entries of R or memory, which later beats can read from `time` on.
  void all_at(double time) { issued_ = std::max(issued_, time); }
  std::uint64_t count() const { return count_; }
  /// Number of operands read from memory, in the half with more reads; each half serves one per cycle.
  std::uint64_t reads() const { return std::max(reads_[0], reads_[1]); }
  /// Cycles in which a second operand was read alone, because both are in the same half.
  std::uint64_t fetches() const { return fetches_; }
  /// Counts one more read at this address.
  void read(std::uint16_t address) { ++reads_[address < upper_half_ ? 0 : 1]; }

 private:
  struct Operands;
  void beat(const Operands& beat);
  int word(std::uint16_t address) const { return address / lanes_ & (kWords - 1); }
  bool same_half(std::uint16_t a, std::uint16_t b) const { return (a < upper_half_) == (b < upper_half_); }

  static constexpr int kWords = 128;  ///< words that the interlock distinguishes
  int lanes_, upper_half_;
  double table_cycles_;
  double issued_ = 0, written_ = 0;
  double table_ = -100;                                   ///< issue of the last beat with a table function
  double read_c_ = -100;                                  ///< issue of the last beat that read c from R
  std::array<double, machine::WaferShape::kRDepth> r_{};  ///< [entry]: write time
  std::array<double, kWords> m_{};                        ///< [word, by its low bits]: write time
  std::uint64_t count_ = 0;
  std::array<std::uint64_t, 2> reads_{};  ///< [lower, upper half]
  std::uint64_t fetches_ = 0;
};

}  // namespace weft::planning
