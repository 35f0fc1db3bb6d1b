/// Savings by sparsity, counted by the RTL.
#include "bench/sparsity/sparsity.hpp"

#include <gtest/gtest.h>

#include "host/memoryx/pruning.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::bench {
namespace {

TEST(Sparsity, AtNinetyPercentATenthOfTheWeightsIsSentAndMultiplied) {
  const compiler::Plan dense = compiler::compile({}, {});
  const std::vector<int> tensors = block_matrices(dense);
  std::uint64_t kept = 0, size = 0;
  for (const int t : tensors) {
    size += dense.tensors[static_cast<std::size_t>(t)].size;
    kept += memoryx::kept_elements(dense.tensors[static_cast<std::size_t>(t)].size, 0.9);
  }
  const auto all = count_micro_batch(dense, tensors),
             tenth = count_micro_batch(compiler::compile({}, {}, block_mask(dense, 0.9)), tensors);
  EXPECT_EQ(all.gemms.messages, 2 * size);  // forward and delta
  EXPECT_EQ(all.gemms.axpys, 2 * size);
  EXPECT_EQ(all.gradient_words, size);
  EXPECT_EQ(tenth.gemms.messages, 2 * kept);
  EXPECT_EQ(tenth.gemms.axpys, 2 * kept);
  EXPECT_EQ(tenth.gradient_words, kept);
  EXPECT_NEAR(static_cast<double>(kept), 0.1 * static_cast<double>(size), 0.5 * static_cast<double>(tensors.size()));
  EXPECT_LT(tenth.gemms.cycles, all.gemms.cycles / 2);
  EXPECT_LT(tenth.all.cycles, all.all.cycles);
}

TEST(Sparsity, GemmCyclesFollowNOverNPlusTwo) {
  for (int n = 8; n <= 256; n *= 2) EXPECT_NEAR(even_gemm(n) / (n / (n + 2.0)), 1, 0.05) << "n = " << n;
}

TEST(Sparsity, RowsOfARandomMaskWaitLessForEachOtherIfEachHasAValve) {
  for (const int n : {64, 256}) EXPECT_GT(scattered_gemm(n, 4), scattered_gemm(n) + 0.01) << "n = " << n;
}

}  // namespace
}  // namespace weft::bench
