#include "host/memoryx/adamw.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "host/memoryx/flush.hpp"

namespace weft {
namespace {

/// AdamW as the textbook has it, in double.
struct Reference {
  std::vector<double> w, m, v;
  void step(const AdamWOptions& o, int t, double rate, bool decay, const std::vector<double>& g) {
    for (std::size_t i = 0; i < w.size(); ++i) {
      m[i] = o.beta1 * m[i] + (1 - o.beta1) * g[i];
      v[i] = o.beta2 * v[i] + (1 - o.beta2) * g[i] * g[i];
      const double c1 = o.correct_bias ? 1 - std::pow(o.beta1, t + 1) : 1;
      const double c2 = o.correct_bias ? 1 - std::pow(o.beta2, t + 1) : 1;
      if (decay) w[i] -= rate * o.weight_decay * w[i];
      w[i] -= rate * (m[i] / c1) / (std::sqrt(v[i] / c2) + o.eps);
    }
  }
};

void compare(const AdamWOptions& options, bool decay) {
  constexpr std::size_t kCount = 1003;
  const FlushToZero flush;
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<float> w(kCount);
  std::vector<float> m(kCount);
  std::vector<float> v(kCount);
  for (float& x : w) x = static_cast<float>(normal(random));
  Reference reference{{w.begin(), w.end()}, std::vector<double>(kCount), std::vector<double>(kCount)};
  for (int t = 0; t < 50; ++t) {
    std::vector<std::int64_t> sums(kCount);
    std::vector<double> g(kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
      sums[i] = static_cast<std::int64_t>(normal(random) * 0x1p40);
      g[i] = static_cast<double>(sums[i]) * 0x1p-40 / 128;
    }
    ASSERT_TRUE(adamw(AdamWStep(options, static_cast<std::uint64_t>(t), 0.01, 0x1p-40 / 128), decay, w, m, v, sums));
    reference.step(options, t, 0.01, decay, g);
    for (const std::int64_t sum : sums) ASSERT_EQ(sum, 0);
  }
  for (std::size_t i = 0; i < kCount; ++i) {
    EXPECT_NEAR(w[i], reference.w[i], 2e-5) << i;
    EXPECT_NEAR(m[i], reference.m[i], 1e-8) << i;
    EXPECT_NEAR(v[i], reference.v[i], 1e-9) << i;
  }
}

TEST(AdamW, FollowsTheTextbook) { compare({}, false); }
TEST(AdamW, DecaysOnlyWhereAsked) {
  compare({.weight_decay = 0.1}, true);
  compare({.weight_decay = 0.1}, false);
}
TEST(AdamW, CanLeaveTheBias) { compare({.beta2 = 0.95, .correct_bias = false}, true); }

TEST(AdamW, ClipsToTheGlobalNorm) {
  EXPECT_EQ(clip_factor({}, 1e9), 1);
  EXPECT_EQ(clip_factor({.max_gradient_norm = 1}, 0.5), 1);
  EXPECT_NEAR(clip_factor({.max_gradient_norm = 1}, 4), 0.25, 1e-6);
}

TEST(AdamW, SeesTheOneWeightThatLeaves) {
  for (std::size_t at = 0; at < 100; ++at) {
    std::vector<float> w(100, -1048575.0F), m(100), v(100);
    std::vector<std::int64_t> sums(100);
    ASSERT_TRUE(adamw(AdamWStep({}, 0, 2, 0x1p-40), false, w, m, v, sums));
    sums[at] = std::int64_t{1} << 40;
    ASSERT_FALSE(adamw(AdamWStep({}, 0, 2, 0x1p-40), false, w, m, v, sums)) << at;
  }
}

// The bound in adamw.hpp, with the largest sums there can be, longer than the sums of any decay.
TEST(AdamW, MomentsStayFinite) {
  for (const double beta : {0.0, 0.9, 0.9999999, 1.0}) {
    std::vector<float> w(1), m(1), v(1);
    const AdamWOptions options{.beta1 = beta, .beta2 = beta, .correct_bias = false};
    std::vector<std::int64_t> sums(1);
    for (std::uint64_t t = 0; t < 1000000; ++t) {
      sums[0] = INT64_MIN;
      (void)adamw(AdamWStep(options, t, 1e-3, 0x1p-40), false, w, m, v, sums);
    }
    EXPECT_LT(std::fabs(m[0]), 0x1p49F);
    EXPECT_LT(v[0], 0x1p72F);
  }
}

TEST(AdamW, AMomentThatFadesBecomesZero) {
  const FlushToZero flush;
  std::vector<float> w(1, 1), m(1, 2e-38F), v(1, 2e-38F);
  std::vector<std::int64_t> sums(1);
  for (std::uint64_t t = 0; t < 10000; ++t) ASSERT_TRUE(adamw(AdamWStep({}, t, 0, 1), false, w, m, v, sums));
  EXPECT_EQ(m[0], 0);
  EXPECT_EQ(v[0], 0);
}

}  // namespace
}  // namespace weft
