#include "host/memoryx/learning_rate.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "sw/base/refusal.hpp"

namespace weft {
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

TEST(LearningRate, RefusesAListThatCannotBeFollowed) {
  EXPECT_THROW(LearningRate(std::vector<ScheduleEntry>{}), Refusal);
  EXPECT_THROW(LearningRate({{Scheduler::Linear, 0, 1, 0}}), Refusal);
  EXPECT_THROW(LearningRate({{Scheduler::Constant, 1, 0, 0}, {Scheduler::Constant, 1, 0, 5}}), Refusal);
}

}  // namespace
}  // namespace weft
