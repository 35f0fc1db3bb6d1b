#include "host/memoryx/pruning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace weft::memoryx {
namespace {

std::uint64_t ones(const std::vector<bool>& mask) { return static_cast<std::uint64_t>(std::ranges::count(mask, true)); }

TEST(Pruning, KeepsExactlyTheRoundedShare) {
  for (const std::uint64_t size : {1U, 2U, 7U, 100U, 3072U})
    for (const double sparsity : {0.0, 0.1, 0.5, 0.9, 0.99}) {
      const auto expected = static_cast<std::uint64_t>(std::round((1 - sparsity) * static_cast<double>(size)));
      EXPECT_EQ(ones(random_mask("a", size, sparsity, 1)), expected) << size << " at " << sparsity;
      EXPECT_EQ(ones(topk_mask(std::vector<float>(size, 0.5F), sparsity)), expected) << size << " at " << sparsity;
    }
}

TEST(Pruning, ARandomMaskDependsOnSeedAndName) {
  const auto mask = random_mask("h.0.mlp.c_fc.weight", 4096, 0.9, 1);
  EXPECT_EQ(mask, random_mask("h.0.mlp.c_fc.weight", 4096, 0.9, 1));
  EXPECT_NE(mask, random_mask("h.0.mlp.c_fc.weight", 4096, 0.9, 2));
  EXPECT_NE(mask, random_mask("h.1.mlp.c_fc.weight", 4096, 0.9, 1));
}

/// A lower sparsity keeps everything that a higher one keeps, and each eighth of the tensor its share: within five
/// standard deviations of a hypergeometric count.
TEST(Pruning, ARandomMaskIsSpreadEvenly) {
  constexpr std::uint64_t kSize = 1 << 16, kPart = kSize / 8;
  const auto mask = random_mask("a", kSize, 0.9, 3), more = random_mask("a", kSize, 0.8, 3);
  for (std::uint64_t k = 0; k < kSize; ++k) ASSERT_LE(mask[k], more[k]);
  for (std::uint64_t part = 0; part < 8; ++part) {
    std::uint64_t count = 0;
    for (std::uint64_t k = 0; k < kPart; ++k) count += mask[part * kPart + k];
    EXPECT_NEAR(static_cast<double>(count), 0.1 * kPart, 5 * std::sqrt(0.1 * 0.9 * kPart * 7 / 8)) << part;
  }
}

TEST(Pruning, TopkKeepsTheLargestAndOfEqualsTheFirst) {
  const std::vector<float> weights = {0.1F, -0.9F, 0.5F, 0.0F, -0.5F, 0.5F, -0.0F, 0.2F};
  EXPECT_EQ(topk_mask(weights, 0.75), (std::vector<bool>{0, 1, 1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(topk_mask(weights, 0.5), (std::vector<bool>{0, 1, 1, 0, 1, 1, 0, 0}));
  EXPECT_EQ(topk_mask(weights, 0.125), (std::vector<bool>{1, 1, 1, 1, 1, 1, 0, 1}));
}

}  // namespace
}  // namespace weft::memoryx
