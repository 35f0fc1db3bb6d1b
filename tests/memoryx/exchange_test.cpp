#include "host/memoryx/exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace weft {
namespace {

TEST(Exchange, DropsTheSmallestAndOfEqualsTheLast) {
  const std::vector<bool> kept = {1, 1, 1, 1, 0, 0, 0};
  const std::vector<float> weights = {0.5F, -0.1F, 0.1F, -0.9F, 0, 0, 0};
  const std::vector<std::uint64_t> growth = {9, 9, 9, 9, 1, 5, 5};
  EXPECT_EQ(exchanged(kept, weights, growth, 0), kept);
  EXPECT_EQ(exchanged(kept, weights, growth, 1), (std::vector<bool>{1, 1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(exchanged(kept, weights, growth, 2), (std::vector<bool>{1, 0, 0, 1, 0, 1, 1}));
  EXPECT_EQ(exchanged(kept, weights, growth, 3), (std::vector<bool>{0, 0, 0, 1, 1, 1, 1}));
}

TEST(Exchange, ExchangesNoMoreThanThereIs) {
  EXPECT_EQ(exchanged_elements(100, 1000, 0.3), 30U);
  EXPECT_EQ(exchanged_elements(99, 1000, 0.3), 29U);
  EXPECT_EQ(exchanged_elements(900, 1000, 0.3), 100U);
  EXPECT_EQ(exchanged_elements(1000, 1000, 0.3), 0U);
}

TEST(Exchange, GradientsGrowByMagnitude) {
  EXPECT_EQ(gradient_growth(std::vector<std::int64_t>{0, -3, 2, INT64_MIN}),
            (std::vector<std::uint64_t>{0, 3, 2, std::uint64_t{1} << 63}));
}

TEST(Exchange, ChanceDependsOnAllThatItIsGiven) {
  const auto keys = random_growth("a", 64, 10, 1);
  EXPECT_EQ(keys, random_growth("a", 64, 10, 1));
  EXPECT_NE(keys, random_growth("b", 64, 10, 1));
  EXPECT_NE(keys, random_growth("a", 64, 11, 1));
  EXPECT_NE(keys, random_growth("a", 64, 10, 2));
}

TEST(Exchange, PrunesTheSmallestOfThoseThatAreLeft) {
  const std::vector<bool> kept = {1, 0, 1, 1, 1};
  const std::vector<float> weights = {0.2F, 0, -0.3F, 0.2F, 0.1F};
  EXPECT_EQ(pruned(kept, weights, 2), (std::vector<bool>{1, 0, 1, 0, 0}));
  EXPECT_EQ(pruned(kept, weights, 0), std::vector<bool>(5));
  EXPECT_EQ(pruned(kept, weights, 5), kept) << "nothing comes back";
}

TEST(Exchange, SchedulesAreThoseOfThePapers) {
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
}  // namespace weft
