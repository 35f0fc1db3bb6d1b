#include "host/appliance/trainer.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/swarmx/fake.hpp"

namespace weft {
namespace {

class TrainerTest : public testing::Test {
 protected:
  TrainerTest() {
    std::ofstream out(corpus_);
    for (int i = 0; i < 2000; ++i) out << static_cast<char>('a' + i * i % 7);
    config_.file = "mine.yaml";
    config_.model = plan_.model;
    config_.wafer = plan_.wafer;
    config_.train_input.data_dir = corpus_;
    config_.train_input.batch_size = 5 * plan_.model.micro_batch;
    config_.optimizer.learning_rate = {
        {.scheduler = "Linear", .initial_learning_rate = 0.5, .end_learning_rate = 1.5, .total_iters = 2},
        {.scheduler = "Constant", .learning_rate = 2}};
    config_.runconfig.max_steps = 4;
  }
  ~TrainerTest() override { std::filesystem::remove(corpus_); }

  std::vector<StepMetrics> run(const Config& config) {
    Trainer trainer(config, plan_,
                    [&](int id) { return make_fake_wafer(plan_, {.seed = static_cast<unsigned>(id + 1)}); });
    std::vector<StepMetrics> result;
    trainer.run([&](const StepMetrics& metrics) { result.push_back(metrics); });
    return result;
  }

  const Plan plan_ = fake_plan();
  Config config_;
  const std::string corpus_ =
      (std::filesystem::temp_directory_path() / ("weft_trainer_test_" + std::to_string(getpid()))).string();
};

TEST_F(TrainerTest, EveryStepIsReportedWithItsLearningRate) {
  const auto steps = run(config_);
  ASSERT_EQ(steps.size(), 4U);
  const double rates[] = {0.5, 1.0, 2.0, 2.0};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].step, i + 1);
    EXPECT_EQ(steps[i].learning_rate, rates[i]);
    EXPECT_EQ(steps[i].tokens, static_cast<std::uint64_t>(config_.train_input.batch_size * config_.model.seq));
    EXPECT_FALSE(steps[i].sim_cycles.has_value());  // the model has none
  }
  EXPECT_NE(steps[0].state_hash, steps[1].state_hash);
}

TEST_F(TrainerTest, TheNumberOfWafersChangesNoBit) {
  const auto one = run(config_);
  config_.runconfig.num_csx = 3;
  config_.swarmx_fanout = 2;
  const auto three = run(config_);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].loss, three[i].loss);
    EXPECT_EQ(one[i].grad_norm, three[i].grad_norm);
    EXPECT_EQ(one[i].state_hash, three[i].state_hash);
  }
}

TEST_F(TrainerTest, UtilizationCountsAllWafersCycles) {
  config_.backend = "rtl";
  for (const StepMetrics& metrics : run(config_)) {
    ASSERT_TRUE(metrics.sim_cycles.has_value());
    EXPECT_GT(*metrics.sim_cycles, 0U);
    EXPECT_GE(*metrics.fpu_utilization, 0);
  }
}

TEST_F(TrainerTest, EvaluationSeesTheSameSequencesEachTimeAndChangesNothing) {
  const auto without = run(config_);
  config_.eval_input = {.data_dir = corpus_, .batch_size = 2 * config_.model.micro_batch};
  config_.runconfig.eval_frequency = 2;
  const auto with = run(config_);
  for (std::size_t i = 0; i < with.size(); ++i) {
    EXPECT_EQ(with[i].eval_loss.has_value(), i % 2 == 1);
    EXPECT_EQ(with[i].state_hash, without[i].state_hash);
  }
}

}  // namespace
}  // namespace weft
