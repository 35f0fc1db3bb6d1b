/// Cycles of the ops of a transformer block, dense and with masks on its matrices.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/compiler/plan/plan.hpp"

namespace weft::bench {

/// A model of one layer, filter 4 x hidden, on a wafer with a valve per row and 128 KiB per tile.
struct LayerShape {
  int rows = 4, cols = 4, hidden = 128, heads = 4, seq = 16;
  int sequences = 5;         ///< per column, or per group of columns that share a sequence
  int sequence_columns = 1;  ///< columns that share a sequence
};
/// A fraction `sparsity` of each of the block's matrices is removed at random.
compiler::Plan layer_plan(const LayerShape& shape, double sparsity);

/// Cycles of a micro-batch, with a rest after each op.
struct LayerCycles {
  std::uint64_t all = 0;       ///< ops of blocks: "h.*"
  std::uint64_t matrices = 0;  ///< GEMMs with a block's matrices among these, and gradients of the matrices
};
/// `cycles`: for each op of the plan.
LayerCycles layer_cycles(const compiler::Plan& plan, const std::vector<std::uint64_t>& cycles);
/// Measures on the RTL, with random tokens and weights.
LayerCycles rtl_layer_cycles(const compiler::Plan& plan);

}  // namespace weft::bench
