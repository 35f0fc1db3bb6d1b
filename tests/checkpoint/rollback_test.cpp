/// runconfig.on_divergence rollback: a run returns to its last checkpoint and continues with the following samples.
#include <nlohmann/json.hpp>

#include "host/checkpoint/checkpoint.hpp"
#include "host/memoryx/diverged.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/checkpoint/train_run.hpp"

namespace weft::checkpoint {
namespace {

class Rollback : public TrainTest {
 protected:
  Rollback() {
    config_.runconfig.on_divergence = "rollback";
    config_.runconfig.checkpoint_steps = 2;
  }
  /// Only the learning rate of step 5 makes training diverge.
  void explode(double rate) {
    config_.optimizer.learning_rate = {{.scheduler = "Constant", .learning_rate = 0.005, .total_iters = 4},
                                       {.scheduler = "Constant", .learning_rate = rate, .total_iters = 1},
                                       {.scheduler = "Constant", .learning_rate = 0.005}};
    config_.optimizer.max_gradient_norm = 0;
  }
  /// The line of a step, counted from 1.
  nlohmann::json line(const std::string& name, int step) const {
    std::istringstream lines(text_of(folder_ / (name + "/metrics.jsonl")));
    std::string text;
    for (int k = 0; k < step; ++k) std::getline(lines, text);
    return nlohmann::json::parse(text);
  }
  Checkpoint checkpoint(const std::string& name, int step) const {
    return load_checkpoint(file(name, step), compiler::model_tensors(config_.model));
  }
};

TEST_F(Rollback, WeightsThatLeaveAreThoseOfTheCheckpointAgain) {
  explode(1e30);
  EXPECT_SAYS(run("a", 8), "back to step 4, continues after step 5: ");
  const nlohmann::json failed = line("a", 5);
  EXPECT_EQ(failed.at("skipped"), true);
  EXPECT_EQ(failed.at("rolled_back_to"), 4);
  EXPECT_EQ(failed.at("state_hash"), line("a", 4).at("state_hash"));
  EXPECT_FALSE(line("a", 6).contains("skipped"));
  EXPECT_NE(line("a", 6).at("state_hash"), failed.at("state_hash"));
  EXPECT_EQ(checkpoint("a", 8).step, 8U);
}

TEST_F(Rollback, IsTheSameForAnyNumberOfWafersAndAfterAStop) {
  explode(1e30);
  run("a", 8);
  config_.runconfig.num_csx = 3;
  run("b", 8);
  expect_same_run("a", "b", 8);
  run("c", 5);  // ends with the step that is rolled back
  run("c", 8);
  expect_same_run("a", "c", 8);
}

/// Step 5 leaves finite weights, and step 6 computes their loss.
TEST_F(Rollback, ALossThatJumpsIsOne) {
  explode(1);
  config_.runconfig.max_loss_jump = 1;
  EXPECT_SAYS(run("a", 8), "the loss has jumped to ");
  EXPECT_EQ(line("a", 6).at("rolled_back_to"), 4);
  EXPECT_EQ(line("a", 6).at("state_hash"), line("a", 4).at("state_hash"));
  EXPECT_LT(line("a", 7).at("loss").get<double>(), line("a", 1).at("loss").get<double>() + 1);
  run("b", 6);
  run("b", 8);
  expect_same_run("a", "b", 8);
}

TEST_F(Rollback, AJumpEndsTheRunIfNothingElseIsWanted) {
  explode(1);
  config_.runconfig.max_loss_jump = 1;
  config_.runconfig.on_divergence = "stop";
  try {
    run("a", 8);
    FAIL() << "nothing was noticed";
  } catch (const memoryx::Diverged& e) {
    EXPECT_SAYS(e.what(), "step 6: the loss has jumped to ");
  }
}

TEST_F(Rollback, UselessRollbackEndsTheRun) {
  config_.optimizer.learning_rate = {{.scheduler = "Constant", .learning_rate = 0.005, .total_iters = 3},
                                     {.scheduler = "Constant", .learning_rate = 1e30}};
  config_.optimizer.max_gradient_norm = 0;
  config_.runconfig.checkpoint_steps = 3;
  EXPECT_THROW(run("a", 100), memoryx::Diverged);
}

}  // namespace
}  // namespace weft::checkpoint
