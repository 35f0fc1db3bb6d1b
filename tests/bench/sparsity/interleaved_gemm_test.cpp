/// The cost of a random mask is that of its weights: a row with many weights for one output has fewer for another.
#include "bench/sparsity/interleaved_gemm.hpp"

#include <gtest/gtest.h>

#include "host/memoryx/pruning.hpp"

namespace weft::bench {
namespace {

constexpr int kInputs = 512, kTokens = 28, kOutputs = 64;

double cycles(int valves, double sparsity) {
  const machine::WaferShape wafer{.rows = 4, .cols = 1, .sram_kib = 128, .valves = valves};
  const SparseGemm gemm = interleaved_gemm(wafer, kInputs, kTokens, kOutputs, sparsity);
  EXPECT_EQ(gemm.weights(), memoryx::kept_elements(std::uint64_t{4} * kInputs * kOutputs, sparsity));
  const auto rtl = make_rtl_wafer(wafer);
  gemm.load(*rtl);
  return static_cast<double>(gemm.run(*rtl).done.cycles);
}

TEST(InterleavedGemm, ATenthOfTheWeightsTakesNearlyATenthOfTheCycles) {
  const double ideal = (kInputs + 2) / (0.1 * kInputs + 2), dense = cycles(4, 0);
  EXPECT_GT(dense / cycles(4, 0.9), 0.97 * ideal);
  EXPECT_LT(dense / cycles(1, 0.9), 0.95 * ideal) << "rows that share a valve wait for each other";
}

}  // namespace
}  // namespace weft::bench
