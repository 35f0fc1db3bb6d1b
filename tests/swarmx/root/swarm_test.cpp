#include "host/swarmx/root/swarm.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "tests/swarmx/fake.hpp"

namespace weft::swarmx {
namespace {

struct Trained {
  std::vector<std::uint64_t> losses;  // bits
  std::vector<std::uint64_t> tokens;
  std::uint64_t hash = 0;
  friend bool operator==(const Trained&, const Trained&) = default;
};

Trained train(const compiler::Plan& plan, int num_csx, int fanout, unsigned seed, double clip = 1, bool eager = false) {
  Swarm swarm(plan, fake_swarm(plan, num_csx, fanout, 7, seed));
  memoryx::MemoryXOptions options;
  options.threads = static_cast<unsigned>(num_csx);
  options.optimizer.max_gradient_norm = clip;
  options.eager = eager;
  memoryx::MemoryX memoryx(plan, options);
  Trained trained;
  for (std::uint64_t step = 0; step < 3; ++step) {
    const StepResult result = swarm.step(step, memoryx);
    EXPECT_EQ(result.passes, static_cast<std::uint32_t>((7 + num_csx - 1) / num_csx));
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
  const compiler::Plan plan = fake_plan();
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

TEST(Swarm, SaysWhatTheTimeOfAStepIsFor) {
  const compiler::Plan plan = fake_plan();
  memoryx::MemoryX memoryx(plan, {});
  SwarmOptions options = fake_swarm(plan, 2, 2, 7, 0);
  options.clock = std::make_shared<StepClock>();
  Swarm swarm(plan, options);
  StepTimes times;
  bool rested = false;
  // A contribution need not be added while the step waits, so steps are repeated until one is.
  for (std::uint64_t step = 0; times[Part::Reduce] == 0 && step < 10000; ++step) {
    swarm.step(step, memoryx, [&] { rested = options.clock->now() == Part::Rest; });
    EXPECT_TRUE(rested) << "who asked for it does something of his own";
    times = times + options.clock->take();
  }
  for (const Part part : {Part::Stream, Part::Compute, Part::Reduce, Part::Update}) EXPECT_GT(times[part], 0);
  EXPECT_EQ(times[Part::Wait], 0) << "all wafers are here";
  EXPECT_EQ(options.clock->now(), Part::Rest);
  const SwarmStatus status = swarm.status();
  ASSERT_EQ(status.wafers.size(), 2U);
  for (const RankStatus& wafer : status.wafers) {
    EXPECT_EQ(wafer.state, RankStatus::State::Here);
    EXPECT_EQ(wafer.host, "") << "it is in this process";
    EXPECT_GT(wafer.bytes_to, wafer.frames_to * kHeaderBytes) << "payloads that go by pointer";
    EXPECT_GT(wafer.bytes_from, wafer.frames_from * kHeaderBytes);
  }
}

TEST(Swarm, WeightsThatChangeAsTheirGradientsComeAreTheSame) {
  const compiler::Plan plan = fake_plan();
  const Trained late = train(plan, 1, 2, 0, 0);
  for (const int num_csx : {1, 2, 4, 9}) EXPECT_EQ(train(plan, num_csx, 2, 11, 0, true), late) << num_csx;
}

TEST(Swarm, MoreWafersThanMicroBatchesStayIdle) {
  const compiler::Plan plan = fake_plan();
  EXPECT_EQ(train(plan, 9, 2, 5), train(plan, 1, 2, 0));
}

TEST(Swarm, AdamStartsFromTheMeanGradient) {
  const compiler::Plan plan = fake_plan();
  Swarm swarm(plan, fake_swarm(plan, 2, 2, 3, 0));
  memoryx::MemoryX memoryx(plan, {});
  swarm.step(0, memoryx);
  double square = 0;
  for (const float m : memoryx.store().first_moments()) square += static_cast<double>(m) * m;
  const double norm = memoryx.finish_update().gradient_norm;
  EXPECT_NEAR(std::sqrt(square) * 10, norm, 1e-5 * norm);
  EXPECT_GT(norm, 0);
}

TEST(Swarm, RefusesMoreMicroBatchesThanTheSumsHold) {
  const compiler::Plan plan = fake_plan();
  Swarm swarm(plan, fake_swarm(plan, 1, 2, 5000, 0));
  memoryx::MemoryX memoryx(plan, {});
  EXPECT_THROW(swarm.step(0, memoryx), Refusal);
}

TEST(Swarm, CanEndWithoutAStep) {
  const compiler::Plan plan = fake_plan();
  const Swarm swarm(plan, fake_swarm(plan, 5, 2, 1, 0));
}

}  // namespace
}  // namespace weft::swarmx
