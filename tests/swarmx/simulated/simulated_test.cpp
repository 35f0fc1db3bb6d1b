/// Seeded schedules of losses, delays, restarts, joins and corrupted frames: each ends with the weights of the
/// fault-free run, and none hangs.
#include <gtest/gtest.h>

#include "tests/swarmx/simulated/schedules.hpp"

namespace weft::simulated {
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

TEST(Simulated, TwoThousandSchedulesEndWithTheSameBits) {
  const Tally tally = schedules(test::test_seed(), 2000, {}, true);
  EXPECT_GT(tally.faults, 4000);
  EXPECT_GT(tally.repeated, 100U);
  EXPECT_GT(tally.ranked, 500);
  EXPECT_GT(tally.refusals, 150);
}

// The rules are needed: with one of them disabled, schedules go wrong.
TEST(Simulated, WithoutTheLedgerOnceIsNotOnce) { EXPECT_GT(schedules(1, 300, {.once = true}, false).wrong, 0); }
TEST(Simulated, WithoutTheOverlapCheckSumsAreWrong) {
  EXPECT_GT(schedules(1, 1000, {.overlaps = true}, false).wrong, 0);
}
TEST(Simulated, WithoutKnowingWhoComesBackWafersGoInCircles) {
  EXPECT_GT(schedules(1, 60, {.names = true}, false).hang, 0);
}
TEST(Simulated, WithoutLookingWhetherThreadsHangItHangs) {
  EXPECT_GT(schedules(1, 300, {.progress = true}, false).hang, 0);
}
TEST(Simulated, WithoutTheDeadlineItHangs) { EXPECT_GT(schedules(1, 300, {.deadlines = true}, false).hang, 0); }

// The rules for MemoryX's ranks are needed as well.
TEST(Simulated, WithoutTheCountOfWhatHasComeOfRanksItIsWrong) {
  const Tally tally = schedules(1, 50, {.all_ranks = true}, false, true);
  EXPECT_GT(tally.wrong + tally.hang, 0);
}
TEST(Simulated, WithoutOneOfANameItIsWrong) {
  const Tally tally = schedules(1, 200, {.one_of_a_name = true}, false, true);
  EXPECT_GT(tally.wrong + tally.hang, 0);
}
TEST(Simulated, WithoutNotifiedStepsGradientsCountTwice) {
  EXPECT_GT(schedules(1, 200, {.new_steps = true}, false, true).wrong, 0);
}
TEST(Simulated, WithoutTheDeadlineOfRanksItHangs) {
  EXPECT_GT(schedules(1, 200, {.memory_deadline = true}, false, true).hang, 0);
}

}  // namespace
}  // namespace weft::simulated
