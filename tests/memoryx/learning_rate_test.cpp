#include "host/memoryx/learning_rate.hpp"

#include <gtest/gtest.h>

namespace weft::memoryx {
namespace {

using Scheduler = ScheduleEntry::Scheduler;

TEST(LearningRate, OneNumberHoldsForEver) {
  const LearningRate rate(0.001);
  EXPECT_EQ(rate.at(0), 0.001);
  EXPECT_EQ(rate.at(1000000), 0.001);
}

TEST(LearningRate, WarmsUpThenFollowsTheCosineThenStays) {
  const LearningRate rate({{Scheduler::Linear, 0, 0.01, 10}, {Scheduler::CosineDecay, 0.01, 0.001, 100}});
  EXPECT_EQ(rate.at(0), 0);
  EXPECT_DOUBLE_EQ(rate.at(5), 0.005);
  EXPECT_DOUBLE_EQ(rate.at(10), 0.01);
  EXPECT_DOUBLE_EQ(rate.at(35), 0.001 + 0.009 * 0.5 * (1 + 0.70710678118654752440));
  EXPECT_DOUBLE_EQ(rate.at(60), 0.0055);
  EXPECT_DOUBLE_EQ(rate.at(110), 0.001);
  EXPECT_DOUBLE_EQ(rate.at(5000), 0.001);
}

TEST(LearningRate, ConstantsFollowOneAnother) {
  const LearningRate rate({{Scheduler::Constant, 3, 0, 2}, {Scheduler::Constant, 1, 0, 0}});
  EXPECT_EQ(rate.at(1), 3);
  EXPECT_EQ(rate.at(2), 1);
  EXPECT_EQ(rate.at(99), 1);
}

/// The formulas of docs/reference/optimizers.md at some steps, and the entry that follows a finite one.
TEST(LearningRate, FollowsTheModelZoosFormulas) {
  const auto of = [](const ScheduleEntry& entry, std::uint64_t step) { return LearningRate({entry}).at(step); };
  const ScheduleEntry polynomial{Scheduler::Polynomial, 1, 0.2, 10, 2};
  EXPECT_DOUBLE_EQ(of(polynomial, 5), 0.2 + 0.8 * 0.25);
  EXPECT_EQ(of(polynomial, 10), 0.2);
  EXPECT_EQ(of(polynomial, 99), 0.2);
  ScheduleEntry exponential{Scheduler::Exponential, 2, 0, 10};
  exponential.decay_rate = 0.25;
  EXPECT_DOUBLE_EQ(of(exponential, 5), 1);
  EXPECT_DOUBLE_EQ(of(exponential, 20), 0.125);
  exponential.staircase = true;
  EXPECT_EQ(of(exponential, 9), 2);
  EXPECT_DOUBLE_EQ(of(exponential, 10), 0.5);
  ScheduleEntry inverse{Scheduler::InverseExponentialTimeDecay, 6, 0, 10};
  inverse.decay_rate = 2;
  inverse.step_exponent = 2;
  EXPECT_DOUBLE_EQ(of(inverse, 0), 6);
  EXPECT_DOUBLE_EQ(of(inverse, 5), 6 / (1 + 2 * 2.5));
  inverse.staircase = true;
  EXPECT_DOUBLE_EQ(of(inverse, 5), 6 / (1 + 2 * 2.0));
  ScheduleEntry root{Scheduler::InverseSquareRootDecay, 3};
  root.scale = 2;
  root.warmup_steps = 4;
  EXPECT_EQ(of(root, 0), 3);
  EXPECT_EQ(of(root, 4), 3);
  EXPECT_EQ(of(root, 16), 1.5);
  ScheduleEntry annealing{Scheduler::CosineAnnealing, 1, 0.5};
  annealing.t_max = 8;
  EXPECT_DOUBLE_EQ(of(annealing, 4), 0.75);
  EXPECT_DOUBLE_EQ(of(annealing, 8), 0.5);
  EXPECT_DOUBLE_EQ(of(annealing, 16), 1);  // one period
}

TEST(LearningRate, StepsDownAtItsMilestones) {
  ScheduleEntry step{Scheduler::Step, 8};
  step.gamma = 0.5;
  step.step_size = 10;
  ScheduleEntry multi{Scheduler::MultiStep, 8, 0, 40};
  multi.gamma = 0.5;
  multi.milestones = {5, 20};
  ScheduleEntry pages{Scheduler::PiecewiseConstant};
  pages.milestones = {5, 20};
  pages.learning_rates = {7, 3, 1};
  const LearningRate list({multi, step});
  EXPECT_EQ(list.at(4), 8);
  EXPECT_EQ(list.at(5), 4);
  EXPECT_EQ(list.at(20), 2);
  EXPECT_EQ(list.at(39), 2);
  EXPECT_EQ(list.at(40), 8);  // the next entry counts from its own start
  EXPECT_EQ(list.at(49), 8);
  EXPECT_EQ(list.at(50), 4);
  EXPECT_EQ(list.at(std::uint64_t{1} << 60), 0);
  const LearningRate rates({pages});
  EXPECT_EQ(rates.at(0), 7);
  EXPECT_EQ(rates.at(4), 7);
  EXPECT_EQ(rates.at(5), 3);
  EXPECT_EQ(rates.at(99), 1);
}

TEST(LearningRate, HasAnEndOfEachPhaseButTheLast) {
  EXPECT_DEATH(LearningRate({{Scheduler::Exponential, 1, 0, 0}}), "broken invariant");
  EXPECT_DEATH(LearningRate({{Scheduler::Step, 1, 0, 0}, {Scheduler::Constant, 1, 0, 5}}), "broken invariant");
  EXPECT_DEATH(LearningRate(std::vector<ScheduleEntry>{}), "broken invariant");
  EXPECT_DEATH(LearningRate({{Scheduler::Linear, 0, 1, 0}}), "broken invariant");
  EXPECT_DEATH(LearningRate({{Scheduler::Constant, 1, 0, 0}, {Scheduler::Constant, 1, 0, 5}}), "broken invariant");
}

}  // namespace
}  // namespace weft::memoryx
