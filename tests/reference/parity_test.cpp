/// Weft's training compared with PyTorch's, of the same model on the same samples (docs/explanation/parity.md).
#include "tests/reference/parity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "host/train/masks.hpp"
#include "host/train/trainer.hpp"
#include "sw/compiler/compile.hpp"
#include "tests/cli/program.hpp"

namespace weft::reference {
namespace {

constexpr double kLoss = 0.02;       // nats, for a single step
constexpr double kMeanLoss = 0.005;  // relative to the loss, over kWindow steps or a whole evaluation
constexpr double kCosine = 0.999;
constexpr int kSteps = 100, kFewSteps = 25, kWindow = 50;

/// Trains for all steps of the configuration, or for its first `count`.
std::vector<metrics::StepMetrics> train(const config::Config& config, int count = 0) {
  const compiler::Plan plan = compiler::compile(config.model, config.wafer, train::make_mask(config));
  train::Trainer trainer(config, plan, [&](int) { return make_model_wafer(config.wafer); });
  std::vector<metrics::StepMetrics> steps;
  while (static_cast<int>(steps.size()) < count) steps.push_back(trainer.step());
  if (count > 0) return steps;
  trainer.run([&](const metrics::StepMetrics& metrics) { steps.push_back(metrics); });
  return steps;
}

class Parity : public testing::TestWithParam<std::string> {
 protected:
  config::Config config(int steps) const {
    config::Config config = case_config(GetParam());
    config.runconfig.num_steps = steps;
    return config;
  }
};

void expect_losses(const std::vector<metrics::StepMetrics>& steps, const std::vector<double>& theirs) {
  ASSERT_LE(steps.size(), theirs.size());
  for (std::size_t s = 0; s < steps.size(); ++s) EXPECT_NEAR(steps[s].loss, theirs[s], kLoss) << "step " << s + 1;
}

TEST_P(Parity, TheFirstStepsHavePyTorchsLosses) {
  expect_losses(train(config(kSteps), kFewSteps), recorded_losses(GetParam()));
}

class ParityLong : public Parity {};

TEST_P(ParityLong, AHundredStepsHavePyTorchsLosses) {
  config::Config config = this->config(kSteps);
  config.runconfig.mode = "train_and_eval";
  const auto steps = train(config);
  ASSERT_EQ(steps.size(), static_cast<std::size_t>(kSteps));
  expect_losses(steps, recorded_losses(GetParam()));
  // PyTorch's loss of Weft's weights must equal Weft's loss.
  const double loss = recorded_eval_loss(GetParam(), "weft");
  EXPECT_NEAR(steps.back().eval_loss.value(), loss, kMeanLoss * loss);
}

/// After one step the first moments are the clipped gradient times 1 - beta1; PyTorch's gradient is clipped, too.
TEST_P(Parity, TheFirstGradientIsPyTorchsTensorByTensor) {
  const config::Config config = this->config(1);
  const compiler::Plan plan = compiler::compile(config.model, config.wafer, train::make_mask(config));
  train::Trainer trainer(config, plan, [&](int) { return make_model_wafer(config.wafer); });
  EXPECT_GT(trainer.step().grad_norm, config.optimizer.max_gradient_norm);  // so clipping is tested, too
  const std::span<const float> moments = trainer.memoryx().store().first_moments();
  const std::vector<float> gradients = recorded_gradients(GetParam(), plan.tensors);
  for (const compiler::TensorInfo& tensor : plan.tensors) {
    double dot = 0, ours = 0, theirs = 0;
    for (std::uint64_t k = tensor.offset; k < tensor.offset + tensor.size; ++k) {
      const double a = moments[k] / (1 - config.optimizer.betas[0]), b = gradients[k];
      dot += a * b;
      ours += a * a;
      theirs += b * b;
    }
    EXPECT_GE(dot / std::sqrt(ours * theirs), kCosine) << tensor.name;
    EXPECT_NEAR(std::sqrt(ours / theirs), 1, 0.01) << tensor.name;
  }
}

TEST_P(Parity, PyTorchsCheckpointHasTheLossItReports) {
  const test::TemporaryFolder folder;
  std::vector<std::string> words = case_arguments(GetParam());
  words.insert(words.end(), {"--mode", "eval", "--checkpoint_path", recorded(GetParam(), "weights.safetensors")});
  const cli::ProgramResult result = cli::run_program(folder, words);
  ASSERT_EQ(result.status, 0) << result.err;
  const std::size_t at = result.out.find(": loss ");
  ASSERT_NE(at, std::string::npos) << result.out;
  const double loss = recorded_eval_loss(GetParam(), "pytorch");
  EXPECT_NEAR(std::stod(result.out.substr(at + 7)), loss, kMeanLoss * loss);
}

/// The recorded models on meshes where the rows of a head share its keys (docs/explanation/attention_rows.md).
config::Config sharing_keys(const std::string& name, int steps) {
  config::Config config = case_config(name);
  config.runconfig.num_steps = steps;
  config.wafer.rows = 12;
  config.wafer.sequence_columns = config.wafer.cols;
  config.model.attention = "shared";
  return config;
}

TEST(SharedKeysParity, TheFirstStepsHavePyTorchsLosses) {
  for (const std::string name : {"tiny", "gptj_heads"})
    expect_losses(train(sharing_keys(name, kSteps), kFewSteps), recorded_losses(name));
}

TEST(SharedKeysParityLong, AHundredStepsHavePyTorchsLosses) {
  for (const std::string name : {"tiny", "heads", "sparse", "gptj", "gptj_heads"})
    expect_losses(train(sharing_keys(name, kSteps)), recorded_losses(name));
}

/// Each rule, schedule and option (docs/reference/optimizers.md).
class OptionsParity : public testing::TestWithParam<std::string> {};

TEST_P(OptionsParity, TheFirstStepsHavePyTorchsLosses) {
  expect_losses(train(option_config(GetParam()), kFewSteps), recorded_losses("options/" + GetParam() + ".csv"));
}

class OptionsParityLong : public OptionsParity {};

TEST_P(OptionsParityLong, FiftyStepsHavePyTorchsLosses) {
  const auto steps = train(option_config(GetParam()));
  ASSERT_EQ(steps.size(), 50U);
  expect_losses(steps, recorded_losses("options/" + GetParam() + ".csv"));
}

// Each takes a minute.
TEST_P(ParityLong, OverFiftyStepsOfAThousandTheLossIsPyTorchs) {
  const auto theirs = recorded_losses(GetParam());
  const auto steps = train(config(static_cast<int>(theirs.size())));
  ASSERT_EQ(steps.size(), 1000U);
  for (std::size_t first = 0; first + kWindow <= steps.size(); ++first) {
    double our_sum = 0, their_sum = 0;
    for (std::size_t s = first; s < first + kWindow; ++s) {
      our_sum += steps[s].loss;
      their_sum += theirs[s];
    }
    ASSERT_NEAR(our_sum, their_sum, kMeanLoss * their_sum) << "steps " << first + 1 << " to " << first + kWindow;
  }
}

std::string name_of(const testing::TestParamInfo<std::string>& info) { return info.param; }
INSTANTIATE_TEST_SUITE_P(Gpt2, Parity, testing::ValuesIn(case_names()), name_of);
INSTANTIATE_TEST_SUITE_P(Gpt2, OptionsParity, testing::ValuesIn(case_names("options")), name_of);
INSTANTIATE_TEST_SUITE_P(Gpt2, OptionsParityLong, testing::ValuesIn(case_names("options")), name_of);
INSTANTIATE_TEST_SUITE_P(Gpt2, ParityLong, testing::ValuesIn(case_names()), name_of);

}  // namespace
}  // namespace weft::reference
