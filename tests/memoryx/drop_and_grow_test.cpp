#include "host/memoryx/drop_and_grow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "tests/random.hpp"

namespace weft::memoryx {
namespace {

TEST(DropAndGrow, DropsTheSmallestAndOfEqualsTheLast) {
  const std::vector<bool> kept = {1, 1, 1, 1, 0, 0, 0};
  const std::vector<float> weights = {0.5F, -0.1F, 0.1F, -0.9F, 0, 0, 0};
  const std::vector<std::uint64_t> growth = {9, 9, 9, 9, 1, 5, 5};
  EXPECT_EQ(drop_and_grow(kept, weights, growth, 0), kept);
  EXPECT_EQ(drop_and_grow(kept, weights, growth, 1), (std::vector<bool>{1, 1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(drop_and_grow(kept, weights, growth, 2), (std::vector<bool>{1, 0, 0, 1, 0, 1, 1}));
  EXPECT_EQ(drop_and_grow(kept, weights, growth, 3), (std::vector<bool>{0, 0, 0, 1, 1, 1, 1}));
}

/// Compares with sorting for any keys: many equal or zero, few large ones.
TEST(DropAndGrow, TakesWhatSortingWouldTake) {
  test::Rng rng(test::test_seed());
  for (int n = 0; n < 400; ++n) {
    const std::size_t size = 1 + rng.below(n % 10 == 0 ? 5000 : 60);
    const std::uint32_t kinds = 1 + rng.below(3), widest = rng.below(64);
    std::vector<bool> kept;
    std::vector<float> weights;
    std::vector<std::uint64_t> growth;
    std::vector<std::size_t> in, out;
    for (std::size_t k = 0; k < size; ++k) {
      kept.push_back(rng.chance(30));
      const float one = std::bit_cast<float>(static_cast<std::uint32_t>(rng.next() >> 33));
      weights.push_back(kinds == 1 ? 0.5F * static_cast<float>(rng.below(3)) : std::isnan(one) ? 1.0F : -one);
      growth.push_back(rng.below(kinds) == 0 ? rng.below(3) : rng.next() >> widest);
      (kept[k] ? in : out).push_back(k);
    }
    const std::size_t most = std::min(in.size(), out.size()), count = rng.below(static_cast<std::uint32_t>(most) + 1);
    std::ranges::stable_sort(in, std::greater{}, [&](std::size_t k) { return std::abs(weights[k]); });
    std::ranges::stable_sort(out, std::greater{}, [&](std::size_t k) { return growth[k]; });
    std::vector<bool> expected(size), left(size);
    for (std::size_t k = 0; k < in.size() - count; ++k) expected[in[k]] = left[in[k]] = true;
    EXPECT_EQ(pruned(kept, weights, in.size() - count), left) << n;
    for (std::size_t k = 0; k < count; ++k) expected[out[k]] = true;
    EXPECT_EQ(drop_and_grow(kept, weights, growth, count), expected) << n;
  }
}

TEST(DropAndGrow, ExchangesNoMoreThanThereIs) {
  EXPECT_EQ(drop_and_grow_count(100, 1000, 0.3), 30U);
  EXPECT_EQ(drop_and_grow_count(99, 1000, 0.3), 29U);
  EXPECT_EQ(drop_and_grow_count(900, 1000, 0.3), 100U);
  EXPECT_EQ(drop_and_grow_count(1000, 1000, 0.3), 0U);
}

TEST(DropAndGrow, GradientsGrowByMagnitude) {
  EXPECT_EQ(gradient_growth(std::vector<std::int64_t>{0, -3, 2, INT64_MIN}),
            (std::vector<std::uint64_t>{0, 3, 2, std::uint64_t{1} << 63}));
}

TEST(DropAndGrow, ChanceDependsOnAllThatItIsGiven) {
  const auto keys = random_growth("a", 64, 10, 1);
  EXPECT_EQ(keys, random_growth("a", 64, 10, 1));
  EXPECT_NE(keys, random_growth("b", 64, 10, 1));
  EXPECT_NE(keys, random_growth("a", 64, 11, 1));
  EXPECT_NE(keys, random_growth("a", 64, 10, 2));
}

TEST(DropAndGrow, PrunesTheSmallestOfThoseThatAreLeft) {
  const std::vector<bool> kept = {1, 0, 1, 1, 1};
  const std::vector<float> weights = {0.2F, 0, -0.3F, 0.2F, 0.1F};
  EXPECT_EQ(pruned(kept, weights, 2), (std::vector<bool>{1, 0, 1, 0, 0}));
  EXPECT_EQ(pruned(kept, weights, 0), std::vector<bool>(5));
  EXPECT_EQ(pruned(kept, weights, 5), kept) << "nothing comes back";
}

TEST(DropAndGrow, SchedulesAreThoseOfThePapers) {
  EXPECT_EQ(cosine_left(0, 100), 1);
  EXPECT_NEAR(cosine_left(50, 100), 0.5, 1e-12);
  EXPECT_NEAR(cosine_left(25, 100), 0.8535533906, 1e-9);
  EXPECT_EQ(cosine_left(100, 100), 0);
  EXPECT_EQ(gradual_sparsity(0, 0.9, 0, 4), 0);
  EXPECT_NEAR(gradual_sparsity(0, 0.9, 1, 4), 0.9 * (1 - 27.0 / 64), 1e-12);
  EXPECT_NEAR(gradual_sparsity(0.5, 0.9, 2, 4), 0.9 - 0.4 / 8, 1e-12);
  EXPECT_EQ(gradual_sparsity(0.5, 0.9, 4, 4), 0.9);
}

}  // namespace
}  // namespace weft::memoryx
