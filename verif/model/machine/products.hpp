/// Deferred instructions that add products to one set of accumulators: several are executed together, so that each
/// accumulator is loaded once for all of them.
///
/// Instruction i adds x[i], a vector in memory, times its own weight to each of `sets` vectors of accumulators: R[d +
/// k*STR] = fma(x[i], weight[i][k], R[d + k*STR]). The instructions count as done: code that reads or writes R, or
/// writes memory, calls catch_up() first.
#pragma once

#include <array>
#include <cstdint>

#include "verif/model/machine/thread.hpp"
#include "verif/model/numbers/simd.hpp"

namespace weft::model {

class Products {
 public:
  static constexpr int kMost = 8;   ///< instructions
  static constexpr int kSets = 64;  ///< sets of accumulators, at most

  /// A weight of each column: the address of its memory word, and the lane.
  struct Weight {
    const std::uint16_t* word;
    int lane;
  };
  struct Instruction {
    const std::uint16_t* x;
    std::array<Weight, kSets> weights;
  };

  bool any() const { return n > 0; }
  /// True if the instruction adds to the same accumulators and there is room.
  bool takes(const VectorOp& op) const {
    return n < kMost && op.in.csel == isa::CSel::R && first == op.rd && beats == op.vl && sets == op.rep &&
           stride == op.str;
  }
  /// The next instruction, to be filled in by the caller.
  Instruction& add(const VectorOp& op) {
    if (!n) first = op.rd, beats = op.vl, sets = op.rep, stride = op.str, from_zero = op.in.csel == isa::CSel::Z;
    return instructions[static_cast<std::size_t>(n++)];
  }

  int n = 0;
  std::array<Instruction, kMost> instructions;
  int first = 0, beats = 0, sets = 0, stride = 0;  ///< the accumulators
  bool from_zero = false;                          ///< the accumulators start at +0
};

}  // namespace weft::model
