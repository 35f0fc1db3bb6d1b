/// Instructions that add products to one set of accumulators, put off until there are several: then an accumulator is
/// fetched once for all of them.
///
/// Instruction i adds x[i], a vector in memory, times a weight of its own to each of `sets` vectors of accumulators:
/// R[d + k*STR] = fma(x[i], weight[i][k], R[d + k*STR]). They count as done: who reads or writes R, or writes memory,
/// calls catch_up() first.
#pragma once

#include <array>
#include <cstdint>

#include "verif/model/machine/thread.hpp"
#include "verif/model/simd.hpp"

namespace weft::model {

class Products {
 public:
  static constexpr int kMost = 8;   ///< instructions
  static constexpr int kSets = 64;  ///< of accumulators, at most

  /// A weight of each column: in this word of its memory, in these lanes.
  struct Weight {
    const std::uint16_t* word;
    int lane;
  };
  struct Instruction {
    const std::uint16_t* x;
    std::array<Weight, kSets> weights;
  };

  bool any() const { return n > 0; }
  /// It adds to the same accumulators, and there is room.
  bool takes(const VectorOp& op) const {
    return n < kMost && op.in.csel == isa::CSel::R && first == op.rd && beats == op.vl && sets == op.rep &&
           stride == op.str;
  }
  /// The next instruction, to be filled in.
  Instruction& add(const VectorOp& op) {
    if (!n) first = op.rd, beats = op.vl, sets = op.rep, stride = op.str, from_zero = op.in.csel == isa::CSel::Z;
    return instructions[static_cast<std::size_t>(n++)];
  }

  int n = 0;
  std::array<Instruction, kMost> instructions;
  int first = 0, beats = 0, sets = 0, stride = 0;  ///< accumulators
  bool from_zero = false;                          ///< the first instruction finds +0 in them
};

}  // namespace weft::model
