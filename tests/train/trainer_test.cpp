/// Whole training steps: compiler, MemoryX, the tree, functional-model wafers and data.
#include "host/train/trainer.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "host/config/file/load.hpp"
#include "host/train/resume.hpp"
#include "sw/compiler/compile.hpp"
#include "tests/checkpoint/files.hpp"
#include "tests/reference/gpt.hpp"

namespace weft::train {
namespace {

class TrainerTest : public testing::Test {
 protected:
  TrainerTest() {
    std::ofstream out(corpus_);
    for (int i = 0; i < 2000; ++i) out << static_cast<char>('a' + i * i % 13);
    config_.file = "mine.yaml";
    config_.model = {
        .vocab = 14, .hidden = 8, .layers = 1, .heads = 2, .filter = 16, .seq = 8, .tied = true, .micro_batch = 2};
    config_.wafer = {.rows = 2, .cols = 2};
    config_.train_input.data_dir = corpus_;
    config_.train_input.batch_size = 5 * config_.model.micro_batch;
    config_.optimizer.learning_rate = {
        {.scheduler = "Linear", .initial_learning_rate = 0.0625, .end_learning_rate = 0.1875, .total_iters = 2},
        {.scheduler = "Constant", .learning_rate = 0.03125}};
    config_.runconfig.max_steps = 4;
  }
  ~TrainerTest() override { std::filesystem::remove(corpus_); }

  static std::vector<metrics::StepMetrics> run(const config::Config& config) {
    const compiler::Plan plan = compiler::compile(config.model, config.wafer);
    Trainer trainer(config, plan, [&](int) { return make_model_wafer(config.wafer); });
    std::vector<metrics::StepMetrics> result;
    trainer.run([&](const metrics::StepMetrics& metrics) { result.push_back(metrics); });
    return result;
  }

  config::Config config_;
  const std::string corpus_ =
      (std::filesystem::temp_directory_path() / ("weft_trainer_test_" + std::to_string(getpid()))).string();
};

TEST_F(TrainerTest, EveryStepIsReportedWithItsLearningRate) {
  const auto steps = run(config_);
  ASSERT_EQ(steps.size(), 4U);
  const double rates[] = {0.0625, 0.125, 0.03125, 0.03125};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].step, i + 1);
    EXPECT_EQ(steps[i].learning_rate, rates[i]);
    EXPECT_EQ(steps[i].tokens, static_cast<std::uint64_t>(config_.train_input.batch_size * config_.model.seq));
    EXPECT_FALSE(steps[i].sim_cycles.has_value());  // the model has none
  }
  EXPECT_NE(steps[0].state_hash, steps[1].state_hash);
}

TEST_F(TrainerTest, TensorsThatAreNotTrainedHaveWeightsAndNoMoments) {
  const compiler::Plan plan = compiler::compile(config_.model, config_.wafer);
  std::vector<float> weights(plan.parameters);
  for (std::size_t k = 0; k < weights.size(); ++k) weights[k] = 0.25F * static_cast<float>(k % 100);
  const std::vector<float> moments(plan.parameters, 1);
  const checkpoint::TestFolder folder("trainer_weights");
  const std::string file = folder / "checkpoint_1.safetensors";
  checkpoint::save_checkpoint(
      file, plan.tensors,
      {.step = 1, .weights = weights, .first_moments = moments, .second_moments = moments, .about = {}});
  const auto memoryx = weights_of(config_, plan, *checkpoint::open_checkpoint(file, plan.tensors));
  EXPECT_EQ(memoryx->moments(), 0);
  EXPECT_TRUE(std::ranges::equal(memoryx->store().weights(), weights));
}

/// A step's results are known before the next step changes anything, and are reported by then.
TEST_F(TrainerTest, AStepIsReportedWhileTheNextOneStreams) {
  const auto alone = run(config_);
  const compiler::Plan plan = compiler::compile(config_.model, config_.wafer);
  std::string events;
  const config::Config& config = config_;
  Trainer trainer(config, plan, [&](int) { return make_model_wafer(config.wafer); });
  std::vector<metrics::StepMetrics> reported;
  const auto report = [&](const metrics::StepMetrics& metrics) {
    events += " reported " + std::to_string(metrics.step);
    EXPECT_EQ(trainer.history().done(), metrics.step);
    EXPECT_EQ(trainer.memoryx().hash(), metrics.state_hash);
    reported.push_back(metrics);
  };
  for (int k = 1; k <= 4; ++k) {
    trainer.advance(report);
    events += " trained " + std::to_string(k);
    EXPECT_EQ(trainer.history().done() + 1, trainer.history().started());
  }
  EXPECT_FALSE(trainer.can_be_saved()) << "nobody knows whether step 4 has diverged";
  trainer.settle(report);
  trainer.settle(report);
  EXPECT_EQ(events, " trained 1 reported 1 trained 2 reported 2 trained 3 reported 3 trained 4 reported 4");
  EXPECT_TRUE(trainer.can_be_saved());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(reported[i].state_hash, alone[i].state_hash);
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

/// Loss and gradient norm of the first step, compared with double precision.
void expect_gpt2(const config::Config& config) {
  const compiler::Plan plan = compiler::compile(config.model, config.wafer);
  Trainer trainer(config, plan, [&](int) { return make_model_wafer(config.wafer); });
  const auto initial = trainer.memoryx().parameters();
  const std::vector<float> params(initial.begin(), initial.end());
  double loss = 0, square = 0;
  std::vector<double> grad(params.size());
  for (int m = 0; m < config.micro_batches(); ++m) {
    const data::Batch batch = trainer.data().micro_batch(0, m);
    const reference::ReferenceResult result =
        reference::reference_gpt(config.model, plan.tensors, params, batch.inputs, batch.labels);
    loss += result.loss_sum;
    for (std::size_t i = 0; i < grad.size(); ++i) grad[i] += result.grad[i];
  }
  const metrics::StepMetrics metrics = trainer.step();
  const auto tokens = static_cast<double>(metrics.tokens);
  for (double g : grad) square += g / tokens * g / tokens;
  EXPECT_NEAR(metrics.loss, loss / tokens, 0.005 * metrics.loss);
  EXPECT_NEAR(metrics.grad_norm, std::sqrt(square), 0.03 * metrics.grad_norm);
}

TEST_F(TrainerTest, TheFirstStepIsGpt2s) { expect_gpt2(config_); }
TEST(Configs, TheTinyOnesFirstStepIsGpt2s) { expect_gpt2(config::load_config(WEFT_CONFIGS "/gpt_tiny.yaml")); }
TEST(Configs, TheOblongOnesFirstStepIsGpt2s) { expect_gpt2(config::load_config(WEFT_CONFIGS "/gpt_oblong.yaml")); }

TEST_F(TrainerTest, TheTimesOfAStepAddUpToIt) {
  for (const metrics::StepMetrics& m : run(config_)) {
    for (const double part : m.times.seconds) EXPECT_GE(part, 0) << m.step;
    for (const swarmx::Part part : {swarmx::Part::Stream, swarmx::Part::Compute, swarmx::Part::Update})
      EXPECT_GT(m.times[part], 0) << m.step;
    EXPECT_DOUBLE_EQ(m.times.sum(), m.seconds) << m.step;
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
}  // namespace weft::train
