#include "host/generate/sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

namespace weft::generate {
namespace {

const std::vector<float> kLogits = {0.5F, -1, 2, 1.5F, 2, -30, 0};

/// Number of times that each token is chosen in `draws` draws.
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

/// Pearson's statistic of `observed` against a softmax over the allowed tokens: far below 40 with 6 degrees of freedom.
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

TEST(Sampler, DependsOnSeedTextAndPositionAlone) {
  const Sampler a({.temperature = 1, .seed = 1}), b({.temperature = 1, .seed = 2}),
      c({.temperature = 1, .seed = 1, .text = 1});
  const std::vector<float> flat(50);
  std::vector<int> first, again, other, of_another;
  for (int k = 0; k < 20; ++k) {
    first.push_back(a.choose(flat, k));
    other.push_back(b.choose(flat, k));
    of_another.push_back(c.choose(flat, k));
  }
  for (int k = 19; k >= 0; --k) again.insert(again.begin(), a.choose(flat, k));
  EXPECT_EQ(first, again);
  EXPECT_NE(first, other);
  EXPECT_NE(first, of_another);
  EXPECT_GT(std::set<int>(first.begin(), first.end()).size(), 10U);
}

std::vector<int> sorted(std::vector<int> tokens) {
  std::ranges::sort(tokens);
  return tokens;
}

/// The definition, in long double: tokens by probability, ties in order of index; the first top_k of these; then the
/// fewest whose sum is top_p of the remaining probability.
std::vector<int> plain_candidates(const std::vector<float>& logits, double temperature, int top_k, double top_p) {
  std::vector<int> tokens(logits.size());
  std::iota(tokens.begin(), tokens.end(), 0);
  std::ranges::stable_sort(tokens, [&](int a, int b) { return logits[a] > logits[b]; });
  if (top_k > 0 && top_k < static_cast<int>(tokens.size())) tokens.resize(top_k);
  const auto weight = [&](int token) { return std::exp(static_cast<long double>(logits[token]) / temperature); };
  long double all = 0, sum = 0;
  for (const int token : tokens) all += weight(token);
  std::vector<int> kept;
  for (const int token : tokens) {
    kept.push_back(token);
    sum += weight(token);
    if (sum >= top_p * all) break;
  }
  return sorted(kept);
}

TEST(Sampler, KeepsTheTokensThatThePlainDefinitionKeeps) {
  const memoryx::NormalRng random(5, "logits");
  std::uint64_t drawn = 0;
  std::set<std::size_t> sizes;
  for (int n = 0; n < 300; ++n) {
    std::vector<float> logits(2 + n % 60);
    for (float& logit : logits) logit = static_cast<float>(std::round(random(drawn++) * 16) / 8);  // many ties
    for (const double temperature : {0.3, 1.0, 4.0})
      for (const int top_k : {0, 1, 3, 20})
        for (const double top_p : {0.05, 0.5, 0.91, 0.9999}) {
          const Sampler sampler({.temperature = temperature, .top_k = top_k, .top_p = top_p});
          const auto kept = sorted(sampler.candidates(logits));
          ASSERT_EQ(kept, plain_candidates(logits, temperature, top_k, top_p))
              << n << ", temperature " << temperature << ", top_k " << top_k << ", top_p " << top_p;
          sizes.insert(kept.size());
        }
  }
  EXPECT_GT(sizes.size(), 20U);
}

TEST(Sampler, TakesTheFirstOfEqualTokensIntoTheShare) {
  const std::vector<float> equal(8, 1.25F);
  const auto kept = [&](double top_p) { return sorted(Sampler({.temperature = 1, .top_p = top_p}).candidates(equal)); };
  EXPECT_EQ(kept(1e-6), std::vector({0}));
  EXPECT_EQ(kept(0.25), std::vector({0, 1})) << "exactly the share";
  EXPECT_EQ(kept(0.26), std::vector({0, 1, 2}));
  EXPECT_EQ(kept(1).size(), 8U);
}

TEST(Sampler, DrawsFromTheShareAndAsBeforeAmongIt) {
  // The two tokens with logit 2 have .66 of the probability together; with the one of 1.5 it is .86.
  const std::vector<int> two = counts({.temperature = 1, .top_p = 0.65}, 1000);
  EXPECT_EQ(two[2] + two[4], 1000);
  EXPECT_NEAR(two[2], 500, 100);
  const std::vector<int> three = counts({.temperature = 1, .top_p = 0.75}, 1000);
  EXPECT_EQ(three[2] + three[3] + three[4], 1000);
  EXPECT_GT(three[3], 100);
  EXPECT_EQ(counts({.temperature = 1, .top_p = 1}, 500), counts({.temperature = 1}, 500));
  EXPECT_EQ(counts({.temperature = 1000, .top_p = 0.999999}, 500), counts({.temperature = 1000}, 500));
  EXPECT_EQ(counts({.top_p = 0.1}, 10)[2], 10) << "temperature 0";
}

}  // namespace
}  // namespace weft::generate
