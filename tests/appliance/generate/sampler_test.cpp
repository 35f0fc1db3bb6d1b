#include "host/appliance/generate/sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace weft {
namespace {

const std::vector<float> kLogits = {0.5F, -1, 2, 1.5F, 2, -30, 0};

/// How often each token is chosen in `draws` draws.
std::vector<int> counts(const SamplerOptions& options, int draws) {
  const Sampler sampler(options);
  std::vector<int> result(kLogits.size());
  for (int k = 0; k < draws; ++k) ++result[sampler.choose(kLogits, k)];
  return result;
}

TEST(Sampler, TakesTheFirstOfTheLikeliestAtTemperatureZero) {
  EXPECT_EQ(Sampler({}).choose(kLogits, 0), 2);
  EXPECT_EQ(counts({.seed = 9}, 100)[2], 100);
}

/// Pearson's statistic of `observed` against a softmax, over the tokens it allows: far below 40 with 6 degrees of
/// freedom.
TEST(Sampler, DrawsFromTheSoftmax) {
  constexpr int kDraws = 20000;
  for (const double temperature : {0.5, 1.0, 3.0}) {
    const std::vector<int> observed = counts({.temperature = temperature, .seed = 3}, kDraws);
    double sum = 0, statistic = 0;
    for (const float logit : kLogits) sum += std::exp(logit / temperature);
    for (std::size_t i = 0; i < kLogits.size(); ++i) {
      const double expected = kDraws * std::exp(kLogits[i] / temperature) / sum;
      if (expected > 5) {
        statistic += std::pow(observed[i] - expected, 2) / expected;
      } else {
        EXPECT_LT(observed[i], 20) << "token " << i;
      }
    }
    EXPECT_LT(statistic, 40) << "temperature " << temperature;
    EXPECT_GT(statistic, 0);
  }
}

TEST(Sampler, ChoosesAmongTheLikeliestOnly) {
  const std::vector<int> two = counts({.temperature = 5, .top_k = 2}, 1000);
  EXPECT_EQ(two[2] + two[4], 1000);
  EXPECT_NEAR(two[2], 500, 100);
  const std::vector<int> one = counts({.temperature = 5, .top_k = 1}, 1000);
  EXPECT_EQ(one[2], 1000) << "of equal ones the first";
  EXPECT_EQ(counts({.temperature = 1, .top_k = 7}, 500), counts({.temperature = 1}, 500));
  EXPECT_EQ(counts({.temperature = 1, .top_k = 100}, 500), counts({.temperature = 1}, 500));
}

TEST(Sampler, DependsOnSeedAndPositionAlone) {
  const Sampler a({.temperature = 1, .seed = 1}), b({.temperature = 1, .seed = 2});
  const std::vector<float> flat(50);
  std::vector<int> first, again, other;
  for (int k = 0; k < 20; ++k) first.push_back(a.choose(flat, k)), other.push_back(b.choose(flat, k));
  for (int k = 19; k >= 0; --k) again.insert(again.begin(), a.choose(flat, k));
  EXPECT_EQ(first, again);
  EXPECT_NE(first, other);
  EXPECT_GT(std::set<int>(first.begin(), first.end()).size(), 10U);
}

}  // namespace
}  // namespace weft
