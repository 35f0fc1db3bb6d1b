/// Selection of the steps that are measured, and a check that they are complete steps. Measured times are not checked.
#include "host/cli/modes/step_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "host/train/trainer.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::cli {
namespace {

config::Config config(int num_csx, int micro_batches) {
  config::Config c;
  c.model = {.vocab = 11, .hidden = 8, .layers = 1, .heads = 2, .filter = 16, .seq = 4, .micro_batch = 2};
  c.train_input.batch_size = 2 * micro_batches;
  c.wafer = {.rows = 2, .cols = 2, .lanes = 4, .sram_kib = 16};
  c.runconfig.num_csx = num_csx;
  c.wafer_threads = 1;
  return c;
}

int cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

TEST(StepTime, ATrialThatMayBeTheWholeStepIsThat) {
  for (const int wafers : {1, 2, 3, 4}) {  // 2: the second pass is not full; 4: the last wafer is idle
    const Trial whole = trial(config(wafers, 3), 99);
    EXPECT_EQ(whole.wafers, std::min(wafers, 3));
    EXPECT_EQ(whole.micro_batches, 3);
    EXPECT_EQ(whole.scale, 1);
  }
}

TEST(StepTime, RoundsLeftOutAreMultiplied) {
  const Trial some = trial(config(2, 20), 4);
  EXPECT_EQ(some.wafers, 2);
  EXPECT_EQ(some.micro_batches, 8);
  EXPECT_EQ(some.scale, 10.0 / 4);
}

TEST(StepTime, WafersBeyondAFewACoreTakeTurns) {
  const int most = 4 * cores();
  const Trial some = trial(config(10 * most, 20 * most), 1);
  EXPECT_EQ(some.wafers, most);
  EXPECT_EQ(some.micro_batches, most);
  EXPECT_EQ(some.scale, 20);
}

TEST(StepTime, WafersWithNothingToDoTakeNone) {
  for (const int wafers : {2, 128, 4096}) {
    const Trial whole = trial(config(wafers, 2), 1);
    EXPECT_EQ(whole.wafers, 2);
    EXPECT_EQ(whole.micro_batches, 2);
    EXPECT_EQ(whole.scale, 1);
  }
}

/// Clipping needs the norm of all sums before the first one is consumed, so all of them are in memory at once.
TEST(StepTime, SumsCountUnlessTheyComeAndGo) {
  config::Config c = config(3, 3);
  EXPECT_EQ(memoryx_bytes_each(c), 20);
  c.memoryx_eager_update = true;
  EXPECT_EQ(memoryx_bytes_each(c), 12);
  c.optimizer.max_gradient_norm = 1;
  EXPECT_EQ(memoryx_bytes_each(c), 20);
  c.optimizer.max_gradient_norm = 0;
  c.runconfig.num_csx = 2;  // two passes
  EXPECT_EQ(memoryx_bytes_each(c), 20);
}

TEST(StepTime, LargeWafersAreFewAtATime) {
  config::Config c = config(64, 64);
  c.wafer = {.rows = 128, .cols = 128, .lanes = 4, .sram_kib = 128};  // 2 GiB
  EXPECT_EQ(trial(c, 1).wafers, 1);
  EXPECT_EQ(trial(c, 1).scale, std::max(1.0, 64.0 / cores()));
  c.wafer.rows = 32;  // 512 MiB
  EXPECT_EQ(trial(c, 1).wafers, std::min(2, 4 * cores()));
}

TEST(StepTime, StepsGoThroughTheOptimizerAndLeaveTheWeights) {
  for (const int wafers : {1, 3}) {
    const config::Config c = config(wafers, 3);
    const compiler::Plan plan = compiler::compile(c.model, c.wafer);
    memoryx::MemoryXOptions options = train::memoryx_options(c);
    options.learning_rate = memoryx::LearningRate(0);
    memoryx::MemoryX memoryx(plan, options);
    const std::vector<float> before(memoryx.parameters().begin(), memoryx.parameters().end());
    EXPECT_GT(step_seconds(c, plan, memoryx), 0);
    EXPECT_TRUE(std::ranges::equal(memoryx.store().weights(), before));
    EXPECT_TRUE(std::ranges::any_of(memoryx.store().first_moments(), [](float m) { return m != 0; }));
  }
}

}  // namespace
}  // namespace weft::cli
