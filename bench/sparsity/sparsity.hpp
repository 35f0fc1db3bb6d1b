/// RTL counters for sparse weights.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/compiler/plan/plan.hpp"
#include "verif/wafer.hpp"

namespace weft::bench {

/// Results of the GEMM kernel with n of `kInputs` inputs non-zero, for a row and an output. Utilization is multiplying
/// beats over cycles, for all tiles.
struct GemmPoint {
  int n = 0;
  double ideal = 0;      ///< n / (n + 2): a partial sum costs two cycles per accumulator entry
  double even = 0;       ///< every row has exactly n weights for every output
  double scattered = 0;  ///< n on average: a random mask
  double of_valves = 0;  ///< scattered, with a valve for each row
};
inline constexpr int kInputs = 512, kTokens = 32, kOutputs = 64;  ///< per row; per column; in total
inline constexpr machine::WaferShape kGemmWafer = {.rows = 4, .cols = 4};

/// Measure single utilizations.
double even_gemm(int n);
double scattered_gemm(int n, int valves = 1);
/// Points for n = 4, 8 ... 256.
std::vector<GemmPoint> gemm_points();

/// Counters of the GEMMs of a micro-batch that stream some of `tensors`, forward and delta; only for the weights of
/// these tensors. From the wafer's counters, minus the plan's commands, biases and residuals.
struct GemmCounts {
  std::uint64_t messages = 0;  ///< through the valves
  std::uint64_t axpys = 0;     ///< per column: each weight meets one row of every column
  std::uint64_t cycles = 0;    ///< cycles of these GEMMs
};

/// Counters of a micro-batch with random tokens and weights on the RTL, with a rest after each op.
struct MicroBatchCounts {
  GemmCounts gemms;
  std::uint64_t gradient_words = 0;  ///< for `tensors`, through the outlets
  WaferCounters all;                 ///< counters of the whole micro-batch
};
MicroBatchCounts count_micro_batch(const compiler::Plan& plan, const std::vector<int>& tensors);

/// The matrices of the transformer blocks, as in sparsity.params_filter's default.
std::vector<int> block_matrices(const compiler::Plan& plan);
/// A random mask of these matrices, with seed 1.
compiler::Mask block_mask(const compiler::Plan& plan, double sparsity);

}  // namespace weft::bench
