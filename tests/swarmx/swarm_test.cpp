#include "host/swarmx/swarm.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "tests/swarmx/fake.hpp"

namespace weft {
namespace {

struct Trained {
  std::vector<std::uint64_t> losses;  // bits
  std::vector<std::uint64_t> tokens;
  std::uint64_t hash = 0;
  friend bool operator==(const Trained&, const Trained&) = default;
};

Trained train(const Plan& plan, int num_csx, int fanout, unsigned seed, double clip = 1, bool early = false) {
  Swarm swarm(plan, fake_swarm(plan, num_csx, fanout, 7, seed));
  MemoryXOptions options;
  options.threads = static_cast<unsigned>(num_csx);
  options.optimizer.max_gradient_norm = clip;
  options.early = early;
  MemoryX memoryx(plan, options);
  Trained trained;
  for (std::uint64_t step = 0; step < 3; ++step) {
    const StepResult result = swarm.step(step, memoryx);
    EXPECT_EQ(result.rounds, static_cast<std::uint32_t>((7 + num_csx - 1) / num_csx));
    EXPECT_EQ(result.fma_lanes, 7U * 5 * 10);
    EXPECT_GT(result.sim_cycles, 0U);
    trained.losses.push_back(std::bit_cast<std::uint64_t>(result.loss));
    trained.tokens.push_back(result.tokens);
    const StepResult seen = swarm.evaluate(step, 5, memoryx);
    trained.losses.push_back(std::bit_cast<std::uint64_t>(seen.loss));
    trained.tokens.push_back(seen.tokens);
  }
  trained.hash = memoryx.hash();
  return trained;
}

TEST(Swarm, BitsDependOnNeitherWafersNorTreeNorOrder) {
  const Plan plan = fake_plan();
  const Trained one = train(plan, 1, 2, 0);
  EXPECT_EQ(one.tokens[0], 7U * 16);
  EXPECT_EQ(one.tokens[1], 4U * 16 + 4);
  EXPECT_NE(one.losses[0], one.losses[2]);
  for (const int num_csx : {1, 2, 3, 4, 7}) {
    for (const int fanout : {2, 3, 4}) {
      const auto seed = static_cast<unsigned>(num_csx * 10 + fanout);
      EXPECT_EQ(train(plan, num_csx, fanout, seed), one)
          << num_csx << " wafers, fan-out " << fanout << ", seed " << seed;
    }
  }
}

TEST(Swarm, WeightsThatChangeAsTheirGradientsComeAreTheSame) {
  const Plan plan = fake_plan();
  const Trained late = train(plan, 1, 2, 0, 0);
  for (const int num_csx : {1, 2, 4, 9}) EXPECT_EQ(train(plan, num_csx, 2, 11, 0, true), late) << num_csx;
}

TEST(Swarm, MoreWafersThanMicroBatchesStayIdle) {
  const Plan plan = fake_plan();
  EXPECT_EQ(train(plan, 9, 2, 5), train(plan, 1, 2, 0));
}

TEST(Swarm, AdamStartsFromTheMeanGradient) {
  const Plan plan = fake_plan();
  Swarm swarm(plan, fake_swarm(plan, 2, 2, 3, 0));
  MemoryX memoryx(plan, {});
  swarm.step(0, memoryx);
  double square = 0;
  for (const float m : memoryx.store().first_moments()) square += static_cast<double>(m) * m;
  const double norm = memoryx.settle().gradient_norm;
  EXPECT_NEAR(std::sqrt(square) * 10, norm, 1e-5 * norm);
  EXPECT_GT(norm, 0);
}

TEST(Swarm, RefusesMoreMicroBatchesThanTheSumsHold) {
  const Plan plan = fake_plan();
  Swarm swarm(plan, fake_swarm(plan, 1, 2, 5000, 0));
  MemoryX memoryx(plan, {});
  EXPECT_THROW(swarm.step(0, memoryx), Refusal);
}

TEST(Swarm, CanEndWithoutAStep) {
  const Plan plan = fake_plan();
  const Swarm swarm(plan, fake_swarm(plan, 5, 2, 1, 0));
}

}  // namespace
}  // namespace weft
