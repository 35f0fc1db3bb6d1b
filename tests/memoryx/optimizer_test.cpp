/// The optimizers, compared with textbook formulas in double (docs/reference/optimizers.md), and the state that they
/// leave.
#include "host/memoryx/optimizer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "host/memoryx/flush.hpp"
#include "sw/base/bf16.hpp"
#include "tests/random.hpp"

namespace weft::memoryx {
namespace {

/// The textbook rules.
struct Reference {
  std::vector<double> w, m, v;
  void step(const OptimizerOptions& o, int t, double rate, bool decay, const std::vector<double>& gradients) {
    const double wd = decay ? o.weight_decay : 0;
    const bool coupled = o.rule == "Adam" || o.rule == "SGD";
    const double c1 = o.correct_bias ? 1 - std::pow(o.beta1, t + 1) : 1;
    const double c2 = o.correct_bias ? 1 - std::pow(o.beta2, t + 1) : 1;
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double g = gradients[i] + (coupled ? wd * w[i] : 0);
      if (!coupled) w[i] -= rate * wd * w[i];
      if (o.rule == "SGD") {
        m[i] = t == 0 ? g : o.momentum * m[i] + (1 - o.dampening) * g;
        w[i] -= rate * (o.momentum == 0 ? g : o.nesterov ? g + o.momentum * m[i] : m[i]);
      } else if (o.rule == "Lion") {
        const double c = o.beta1 * m[i] + (1 - o.beta1) * g;
        w[i] -= rate * (c > 0 ? 1 : c < 0 ? -1 : 0);
        m[i] = o.beta2 * m[i] + (1 - o.beta2) * g;
      } else {
        m[i] = o.beta1 * m[i] + (1 - o.beta1) * g;
        v[i] = o.beta2 * v[i] + (1 - o.beta2) * g * g;
        w[i] -= rate * (m[i] / c1) / (std::sqrt(v[i] / c2) + o.eps);
      }
    }
  }
};

/// As many vectors of `count` elements as the rule keeps.
struct State {
  State(const OptimizerOptions& options, std::size_t count, float weight = 0)
      : w(count, weight),
        m(state_vectors(options) > 0 ? count : 0),
        v(state_vectors(options) > 1 ? count : 0),
        sums(count) {}
  bool update(const OptimizerOptions& options, std::uint64_t step, double rate, double scale, bool decay = false) {
    return make_optimizer_step(options, step, rate, scale)->update({decay, w, m, v, sums});
  }
  std::vector<float> w, m, v;
  std::vector<std::int64_t> sums;
};

void compare(const OptimizerOptions& options, bool decay) {
  constexpr std::size_t kCount = 1003;
  const FlushToZero flush;
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  State state(options, kCount);
  for (float& x : state.w) x = static_cast<float>(normal(random));
  Reference reference{{state.w.begin(), state.w.end()}, std::vector<double>(kCount), std::vector<double>(kCount)};
  for (int t = 0; t < 50; ++t) {
    std::vector<double> g(kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
      state.sums[i] = static_cast<std::int64_t>(normal(random) * 0x1p40);
      g[i] = static_cast<double>(state.sums[i]) * 0x1p-40 / 128;
    }
    ASSERT_TRUE(state.update(options, static_cast<std::uint64_t>(t), 0.01, 0x1p-40 / 128, decay));
    reference.step(options, t, 0.01, decay, g);
    for (const std::int64_t sum : state.sums) ASSERT_EQ(sum, 0);
  }
  for (std::size_t i = 0; i < kCount; ++i) {
    EXPECT_NEAR(state.w[i], reference.w[i], 2e-5) << i;
    if (!state.m.empty()) {
      EXPECT_NEAR(state.m[i], reference.m[i], options.weight_decay > 0 ? 1e-6 : 1e-8) << i;
    }
    if (!state.v.empty()) {
      EXPECT_NEAR(state.v[i], reference.v[i], options.weight_decay > 0 ? 1e-8 : 1e-9) << i;
    }
  }
}

TEST(AdamW, FollowsTheTextbook) { compare({}, false); }
TEST(AdamW, DecaysOnlyWhereAsked) {
  compare({.weight_decay = 0.1}, true);
  compare({.weight_decay = 0.1}, false);
}
TEST(AdamW, CanLeaveTheBias) { compare({.beta2 = 0.95, .correct_bias = false}, true); }

TEST(Adam, HasDecayInTheGradient) {
  compare({.rule = "Adam", .weight_decay = 0.1}, true);
  compare({.rule = "Adam", .weight_decay = 0.1}, false);
}

TEST(Sgd, FollowsTheTextbook) {
  compare({.rule = "SGD", .weight_decay = 0.1}, true);
  compare({.rule = "SGD", .momentum = 0.9, .weight_decay = 0.1}, true);
  compare({.rule = "SGD", .momentum = 0.9, .dampening = 0.5, .weight_decay = 0.1}, true);
  compare({.rule = "SGD", .momentum = 0.9, .nesterov = true, .weight_decay = 0.1}, false);
}

TEST(Lion, FollowsItsPaper) {
  compare({.rule = "Lion", .beta2 = 0.99, .weight_decay = 0.1}, true);
  compare({.rule = "Lion", .beta2 = 0.99, .weight_decay = 0.1}, false);
}

/// A masked weight of a sparse matrix has no gradient: it stays zero under any rule.
TEST(Optimizer, AZeroWithoutAGradientStays) {
  for (const OptimizerRule& rule : optimizer_rules()) {
    const OptimizerOptions options{.rule = rule.name, .momentum = 0.9, .weight_decay = 0.1};
    State state(options, 5);
    for (std::uint64_t t = 0; t < 3; ++t) ASSERT_TRUE(state.update(options, t, 0.1, 0x1p-40, true));
    EXPECT_EQ(state.w, std::vector<float>(5));
    EXPECT_EQ(state.m, std::vector<float>(state.m.size()));
  }
}

TEST(Optimizer, KeepsWhatItsRuleNeeds) {
  EXPECT_EQ(state_vectors({}), 2);
  EXPECT_EQ(state_vectors({.rule = "Adam"}), 2);
  EXPECT_EQ(state_vectors({.rule = "Lion"}), 1);
  EXPECT_EQ(state_vectors({.rule = "SGD", .momentum = 0.9}), 1);
  EXPECT_EQ(state_vectors({.rule = "SGD"}), 0);
}

TEST(Optimizer, ClipsToTheGlobalNorm) {
  EXPECT_EQ(clip_factor({}, 1e9), 1);
  EXPECT_EQ(clip_factor({.max_gradient_norm = 1}, 0.5), 1);
  EXPECT_NEAR(clip_factor({.max_gradient_norm = 1}, 4), 0.25, 1e-6);
}

TEST(Optimizer, SeesTheOneWeightThatLeaves) {
  for (const OptimizerRule& rule : optimizer_rules()) {
    for (const double momentum : {0.0, 0.9}) {
      const OptimizerOptions options{.rule = rule.name, .momentum = momentum};
      for (std::size_t at = 0; at < 100; ++at) {
        State state(options, 100, -1048575.0F);
        ASSERT_TRUE(state.update(options, 0, 2, 0x1p-40));
        state.sums[at] = std::int64_t{1} << 40;
        ASSERT_FALSE(state.update(options, 0, 2, 0x1p-40)) << at;
      }
    }
  }
}

// The bound in optimizer.hpp, with the largest possible sums, for longer than any decay remembers.
TEST(Optimizer, StateStaysFinite) {
  for (const std::string_view rule : {"AdamW", "SGD", "Lion"}) {
    for (const double beta : {0.0, 0.9, 0.9999999, 1.0}) {
      const OptimizerOptions options{
          .rule = rule, .beta1 = beta, .beta2 = beta, .correct_bias = false, .momentum = beta};
      State state(options, 1);
      for (std::uint64_t t = 0; t < 1000000; ++t) {
        state.sums[0] = INT64_MIN;
        (void)state.update(options, t, 1e-3, 0x1p-40);
      }
      if (!state.m.empty()) {
        EXPECT_LT(std::fabs(state.m[0]), 0x1p50F);
      }
      if (!state.v.empty()) {
        EXPECT_LT(state.v[0], 0x1p74F);
      }
    }
  }
}

/// A hash of the state after three updates of numbers that are often near the smallest normal one.
std::uint64_t hash_of_updates(const OptimizerOptions& options) {
  const FlushToZero flush;
  test::Rng random(5);
  State state(options, 5000);
  for (std::vector<float>* vector : {&state.w, &state.m, &state.v}) {
    const bool second = vector == &state.v;
    for (float& x : *vector) {
      const auto bits = static_cast<std::uint32_t>(random.next());
      const std::uint32_t exponent = random.below(3) != 0 ? random.below(8) : 90 + random.below(40);
      x = as_float((bits & (second ? 0x007fffffU : 0x807fffffU)) | exponent << 23);
    }
  }
  std::uint64_t hash = 0;
  for (std::uint64_t t = 0; t < 3; ++t) {
    for (std::int64_t& sum : state.sums)
      sum = random.below(2) != 0 ? 0 : static_cast<std::int64_t>(random.next()) >> random.below(64);
    (void)state.update(options, t, 0x1.8p-7, 0x1p-42, true);  // large gradients take weights beyond their limit
    for (const std::vector<float>* vector : {&state.w, &state.m, &state.v})
      for (const float x : *vector) hash = test::mix(hash ^ as_bits(x));
  }
  return hash;
}

TEST(Optimizer, HasTheSameBitsOnEveryCpu) {
  EXPECT_EQ(hash_of_updates({.weight_decay = 0.1}), 0xe42e8dacf3d58a3bu);
  EXPECT_EQ(hash_of_updates({.rule = "Adam", .weight_decay = 0.1}), 0xf9114696a4c6f24u);
  EXPECT_EQ(hash_of_updates({.rule = "SGD", .weight_decay = 0.1}), 0x69256de837ecad30u);
  EXPECT_EQ(hash_of_updates({.rule = "SGD", .momentum = 0.9, .nesterov = true, .weight_decay = 0.1}),
            0x966cfa287a48f8ddu);
  EXPECT_EQ(hash_of_updates({.rule = "Lion", .weight_decay = 0.1}), 0xdab2de20f990b954u);
}

TEST(AdamW, AMomentThatFadesBecomesZero) {
  const FlushToZero flush;
  State state({}, 1, 1);
  state.m[0] = state.v[0] = 2e-38F;
  for (std::uint64_t t = 0; t < 10000; ++t) ASSERT_TRUE(state.update({}, t, 0, 1));
  EXPECT_EQ(state.m[0], 0);
  EXPECT_EQ(state.v[0], 0);
}

}  // namespace
}  // namespace weft::memoryx
