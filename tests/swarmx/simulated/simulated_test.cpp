/// Seeded schedules of losses, delays, restarts, joins and corrupted frames: each ends with the weights of the
/// fault-free run, and none hangs.
#include <gtest/gtest.h>

#include "tests/swarmx/simulated/schedules.hpp"

namespace weft::swarmx::simulated {
namespace {

TEST(Simulated, UndisturbedRunsHaveTheSameBitsForEveryTree) {
  Shape shape{.wafers = 1, .nodes = 0, .micro_batches = 7, .steps = 3};
  const auto hash = undisturbed(shape).hash;
  ASSERT_TRUE(hash);
  for (const int wafers : {2, 4, 6}) {
    for (const int nodes : {0, 1, wafers / 2}) {
      shape.wafers = wafers;
      shape.nodes = nodes;
      EXPECT_EQ(undisturbed(shape).hash, hash) << wafers << " wafers, " << nodes << " nodes";
      EXPECT_EQ(undisturbed(shape).repeated, 0U);
    }
  }
}

TEST(Simulated, UndisturbedRunsHaveTheSameBitsForEveryNumberOfRanksOfMemoryX) {
  Shape shape{.wafers = 3, .nodes = 1, .micro_batches = 5, .steps = 3, .parted = true};
  const auto hash = undisturbed(shape).hash;
  ASSERT_TRUE(hash);
  for (shape.memory = 1; shape.memory <= 3; ++shape.memory) {
    EXPECT_EQ(undisturbed(shape).hash, hash) << shape.memory;
    EXPECT_EQ(undisturbed(shape).refusals.size(), 0U);
  }
}

TEST(Simulated, FiveHundredSchedulesEndWithTheSameBits) {  // `make test-long`: ten thousand
  const ScheduleCounts counts = schedules(test::test_seed(), 500, {}, true);
  EXPECT_GT(counts.faults, 1000);
  EXPECT_GT(counts.repeated, 20U);
  EXPECT_GT(counts.ranked, 120);
  EXPECT_GT(counts.refusals, 30);
}

// The rules are needed: with one of them disabled, schedules go wrong.
/// Runs schedules until one has the given result.
void expect_one(int ScheduleCounts::*result, int count, const Without& without, bool ranked = false) {
  EXPECT_GT(schedules(1, count, without, false, ranked, result).*result, 0);
}
TEST(Simulated, WithoutTheLedgerOnceIsNotOnce) { expect_one(&ScheduleCounts::wrong, 300, {.once = true}); }
TEST(Simulated, WithoutTheOverlapCheckSumsAreWrong) { expect_one(&ScheduleCounts::wrong, 1000, {.overlaps = true}); }
TEST(Simulated, WithoutNamesReturningWafersGoInCircles) { expect_one(&ScheduleCounts::hang, 60, {.names = true}); }
TEST(Simulated, WithoutAWatchdogItHangs) { expect_one(&ScheduleCounts::hang, 300, {.progress = true}); }
TEST(Simulated, WithoutTheDeadlineItHangs) { expect_one(&ScheduleCounts::hang, 300, {.deadlines = true}); }

// The rules for MemoryX's ranks are needed as well.
TEST(Simulated, WithoutTheCountOfWhatHasComeOfRanksItIsWrong) {
  expect_one(&ScheduleCounts::wrong, 50, {.all_ranks = true}, true);
}
TEST(Simulated, WithoutOneOfANameItIsWrong) { expect_one(&ScheduleCounts::wrong, 200, {.one_of_a_name = true}, true); }
TEST(Simulated, WithoutNotifiedStepsGradientsCountTwice) {
  expect_one(&ScheduleCounts::wrong, 200, {.new_steps = true}, true);
}
TEST(Simulated, WithoutTheDeadlineOfRanksItHangs) {
  expect_one(&ScheduleCounts::hang, 200, {.memory_deadline = true}, true);
}

}  // namespace
}  // namespace weft::swarmx::simulated
