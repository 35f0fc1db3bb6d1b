/// Divergences in a row: how many steps may be skipped, or rolled back, and which loss is a jump.
#include "host/train/step_history.hpp"

#include <gtest/gtest.h>

namespace weft::train {
namespace {

metrics::StepMetrics metrics(std::uint64_t step, bool skipped = false) {
  metrics::StepMetrics result;
  result.step = step;
  result.skipped = skipped;
  return result;
}

TEST(StepHistory, AStepCountsAsDoneOnceItIsSettled) {
  StepHistory history;
  history.resume(5, std::nullopt);
  history.unsettled_metrics() = metrics(6);
  EXPECT_EQ(history.done(), 5U);
  EXPECT_EQ(history.started(), 6U);
  history.settle();
  EXPECT_EQ(history.done(), 6U);
  EXPECT_EQ(history.started(), 6U);
}

TEST(StepHistory, SkippedStepsAreCountedInARow) {
  StepHistory history;
  const memoryx::Diverged why("on purpose");
  for (int k = 0; k < StepHistory::kMostSkipped; ++k) history.count_skip(why);
  history.end_skips();
  for (int k = 0; k < StepHistory::kMostSkipped; ++k) history.count_skip(why);
  EXPECT_EQ(history.skipped_in_a_row(), StepHistory::kMostSkipped);
  EXPECT_THROW(history.count_skip(why), memoryx::Diverged);
}

TEST(StepHistory, ARollBackCountsTheDivergedStepAndATrainedStepEndsTheRow) {
  StepHistory history;
  for (int k = 0; k < StepHistory::kMostSkipped; ++k) {
    history.mark_diverged();
    ASSERT_TRUE(history.count_roll_back()) << k;
    history.end_roll_back();
  }
  EXPECT_FALSE(history.diverged());
  EXPECT_EQ(history.done(), static_cast<std::uint64_t>(StepHistory::kMostSkipped));
  EXPECT_FALSE(history.count_roll_back()) << "too many in a row";
  history.unsettled_metrics() = metrics(history.done() + 1, true);
  history.settle();
  EXPECT_FALSE(history.count_roll_back()) << "a skipped step was not trained";
  history.unsettled_metrics() = metrics(history.done() + 1);
  history.settle();
  EXPECT_TRUE(history.count_roll_back());
}

TEST(StepHistory, AnEvaluationThatDivergesIsNotRolledBack) {
  StepHistory history;
  history.mark_evaluation_diverged();
  EXPECT_TRUE(history.diverged());
  EXPECT_FALSE(history.count_roll_back());
}

TEST(StepHistory, ALossThatJumpsFarAboveItsAverageHasDiverged) {
  StepHistory history;
  history.add_loss(1, 100, 0);
  EXPECT_EQ(history.average_loss(), std::nullopt) << "no limit";
  history.add_loss(1, 4, 0.5);
  history.add_loss(2, 4.5, 0.5);
  EXPECT_DOUBLE_EQ(*history.average_loss(), 4.05);
  EXPECT_THROW(history.add_loss(3, 4.6, 0.5), memoryx::Diverged);
  EXPECT_DOUBLE_EQ(*history.average_loss(), 4.05);
}

}  // namespace
}  // namespace weft::train
