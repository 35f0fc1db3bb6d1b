/// Order of numbered weights: each sum's weights evenly spread, the first round whole.
#include "sw/compiler/stream/sum_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace weft::compiler {
namespace {

TEST(SumOrder, NamesEachSumAsOftenAsItHasWeights) {
  std::mt19937 random(1);
  SumOrder orders;
  for (int n = 0; n < 500; ++n) {
    const std::size_t each = 1 + random() % SumOrder::kMostSums, outputs = 1 + random() % each;
    std::vector<std::size_t> weights(outputs);
    for (std::size_t& k : weights) k = random() % 3 == 0 ? random() % 40 : random() % 3;
    const std::vector<std::uint8_t>& order = orders.of(weights, each, random() % 8);
    EXPECT_EQ(order.size(), SumOrder::count(weights, each));
    if (std::ranges::max(weights) == 0) {
      EXPECT_TRUE(order.empty());
      continue;
    }
    for (std::size_t k = 0; k < each; ++k) {
      EXPECT_EQ(order[k], k);
      const std::size_t wanted = k < outputs ? std::max<std::size_t>(weights[k], 1) : 1;
      EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(order, k)), wanted);
    }
  }
}

/// A line whose sums another line has begun, and the line that begins them in each row.
TEST(SumOrder, BeginsTheSumsOfFurtherLinesOnce) {
  SumOrder orders;
  const std::vector<std::size_t> none(3, 0), some = {0, 2, 1};
  const std::vector<std::uint8_t> round = {0, 1, 2, 3};
  EXPECT_EQ(orders.of(none, 4, 7, SumOrder::Begin::Always), round);
  EXPECT_EQ(SumOrder::count(none, 4, SumOrder::Begin::Always), 4U);
  EXPECT_TRUE(orders.of(none, 4, 7, SumOrder::Begin::Never).empty());
  EXPECT_EQ(SumOrder::count(none, 4, SumOrder::Begin::Never), 0U);
  EXPECT_EQ(orders.of(some, 4, 1, SumOrder::Begin::Never), (std::vector<std::uint8_t>{1, 1, 2}));
  EXPECT_EQ(orders.of(some, 4, 2, SumOrder::Begin::Never), (std::vector<std::uint8_t>{1, 2, 1}));
  EXPECT_EQ(SumOrder::count(some, 4, SumOrder::Begin::Never), 3U);
}

/// Binomial numbers of weights, as a random mask has them: a multiply-add takes 7 cycles, and few weights wait for one.
TEST(SumOrder, KeepsWeightsOfASumApart) {
  std::mt19937 random(2);
  std::binomial_distribution<std::size_t> of_a_tenth(70, 0.1);
  SumOrder orders;
  std::size_t close = 0, all = 0;
  for (int n = 0; n < 200; ++n) {
    std::vector<std::size_t> weights(14), last(14, 0);
    for (std::size_t& k : weights) k = of_a_tenth(random);
    const std::vector<std::uint8_t>& order = orders.of(weights, 14, 7);
    for (std::size_t at = 14; at < order.size(); ++at) {
      close += at - std::max(last[order[at]], std::size_t{order[at]}) < 7;
      last[order[at]] = at, ++all;
    }
  }
  EXPECT_LT(static_cast<double>(close), 0.005 * static_cast<double>(all)) << close << " of " << all;
}

/// A row whose bias makes one sum longer: the others do not all skip the same round.
TEST(SumOrder, SpreadsTheRoundsThatSumsSkip) {
  std::vector<std::size_t> weights(14, 14);
  weights[3] = 15;
  SumOrder orders;
  const std::vector<std::uint8_t>& order = orders.of(weights, 14, 7);
  for (std::size_t at = 14; at < order.size(); ++at)
    for (std::size_t behind = 1; behind < 7; ++behind) EXPECT_NE(order[at], order[at - behind]) << at;
}

}  // namespace
}  // namespace weft::compiler
