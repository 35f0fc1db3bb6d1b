/// Valid combinations of the optimizer's keys, and errors for features that are not built.
#include <gtest/gtest.h>

#include "host/config/config.hpp"
#include "host/config/file/load.hpp"
#include "host/config/file/show.hpp"
#include "host/config/keys/params_filter.hpp"
#include "tests/says.hpp"

namespace weft::config::optimizer_keys_test {
namespace {

const std::string kFile = WEFT_CONFIGS "/gpt_tiny.yaml";

Config config(const std::vector<Override>& overrides) { return load_config(kFile, overrides); }

std::string message(const std::vector<Override>& overrides) {
  try {
    config(overrides);
  } catch (const Refusal& e) {
    return e.what();
  }
  return "no error";
}

std::string of_phase(const std::string& phase) { return message({{"optimizer.learning_rate", phase}}); }

TEST(OptimizerKeys, LionsBetasAreItsPapers) {
  EXPECT_EQ(config({{"optimizer.optimizer_type", "Lion"}}).optimizer.betas, (std::vector<double>{0.9, 0.95}));
  Config lion = parse_config(
      "train_input: {data_dir: x, batch_size: 4, micro_batch_size: 4}\n"
      "model: {hidden_size: 8, num_hidden_layers: 1, num_heads: 2, max_sequence_length: 8, vocab_size: 9}\n"
      "optimizer: {optimizer_type: Lion}\n",
      "mine.yaml");
  EXPECT_EQ(lion.optimizer.betas, (std::vector<double>{0.9, 0.99}));
}

TEST(OptimizerKeys, MomentumIsSgds) {
  EXPECT_SAYS(message({{"optimizer.momentum", "0.9"}}),
              "optimizer.momentum: does not apply to optimizer.optimizer_type");
  EXPECT_SAYS(message({{"optimizer.optimizer_type", "SGD"}, {"optimizer.nesterov", "true"}}), "requires a momentum");
  EXPECT_SAYS(message({{"optimizer.optimizer_type", "SGD"}, {"optimizer.momentum", "1"}}), "below 1");
  EXPECT_EQ(message({{"optimizer.optimizer_type", "SGD"}, {"optimizer.momentum", "0.9"}}), "no error");
}

TEST(OptimizerKeys, PatternsChooseTensors) {
  EXPECT_EQ(no_decay_tensors(config({{"optimizer.no_decay_params", "w?e.weight"}})),
            (std::vector<std::string>{"wte.weight", "wpe.weight"}));
  EXPECT_EQ(decay_tensors(config({{"optimizer.decay_params", "h.1.attn.c_proj.*"}})),
            (std::vector<std::string>{"h.1.attn.c_proj.bias"}));
  EXPECT_EQ(frozen_tensors(config({{"optimizer.frozen_params", "h.1.ln_1.*"}})),
            (std::vector<std::string>{"h.1.ln_1.weight", "h.1.ln_1.bias"}));
  EXPECT_SAYS(message({{"optimizer.no_decay_params", "h.*.bias"}}),
              "is not a matrix: others decay only if decay_params");
  EXPECT_SAYS(message({{"optimizer.decay_params", "wte.weight"}}), "is a matrix: matrices decay without it");
  EXPECT_SAYS(message({{"optimizer.frozen_params", "wte.wait"}}), "did you mean wte.weight?");
  EXPECT_SAYS(message({{"optimizer.frozen_params", "[\"*\"]"}}), "freezes every tensor");
}

TEST(OptimizerKeys, APhaseHasWhatItsSchedulerWants) {
  EXPECT_SAYS(of_phase("{scheduler: Step, initial_learning_rate: 1}"), "has no step_size");
  EXPECT_SAYS(of_phase("{scheduler: CosineAnnealing, initial_learning_rate: 1}"), "has no T_max");
  EXPECT_SAYS(of_phase("{scheduler: MultiStep, milestones: [20, 10]}"), "has no rising milestones");
  EXPECT_SAYS(of_phase("{scheduler: PiecewiseConstant, milestones: [10], learning_rates: [1]}"),
              "has 1 learning_rates for 1 milestones");
  EXPECT_SAYS(of_phase("{scheduler: Exponential, initial_learning_rate: 1}"), "has no end");
  EXPECT_SAYS(of_phase("{scheduler: Linear, total_iters: 3, gamma: 0.5}"),
              "optimizer.learning_rate.gamma: does not apply to Linear");
  EXPECT_EQ(of_phase("{scheduler: InverseSquareRootDecay, initial_learning_rate: 1}"), "no error");
}

/// params.yaml repeats the run: each scheduler survives the round trip.
TEST(OptimizerKeys, ThePrintedConfigurationIsTheSame) {
  const Config one =
      config({{"optimizer.learning_rate",
               "[{scheduler: Polynomial, initial_learning_rate: 1, total_iters: 3, power: 2}, {scheduler: MultiStep, "
               "initial_learning_rate: 0.5, gamma: 0.25, milestones: [2, 5], total_iters: 9}, {scheduler: "
               "PiecewiseConstant, learning_rates: [3, 2], milestones: [4]}]"},
              {"optimizer.frozen_params", "wpe.weight"}});
  const std::string text = config_yaml(one);
  EXPECT_EQ(config_yaml(parse_config(text, "again.yaml")), text);
  EXPECT_EQ(text.find("T_max"), std::string::npos);
}

TEST(OptimizerKeys, UnbuiltKeyNamesAlternatives) {
  EXPECT_EQ(config({{"optimizer.weight_decay_rate", "0.5"}}).optimizer.weight_decay, 0.5);
  EXPECT_SAYS(message({{"runconfig.grad_accum_steps", "4"}}), "train_input.batch_size");
  EXPECT_SAYS(message({{"model.residual_dropout_rate", "1"}}), "use 0 to 0.99");
  EXPECT_EQ(config({{"model.residual_dropout_rate", "0.1"}}).model.residual_dropout, 0.1);
  EXPECT_EQ(config({{"model.attention_dropout_rate", "0.2"}}).model.attention_dropout, 0.2);
  EXPECT_SAYS(message({{"model.label_smoothing", "1"}}), "below 1");
  EXPECT_EQ(of_phase("{scheduler: Linear, decay_steps: 5}"), "no error") << "the Model Zoo's name of total_iters";
}

TEST(OptimizerKeys, TheBestNeedsAnEvaluation) {
  EXPECT_SAYS(message({{"runconfig.keep_best", "true"}}), "nothing is evaluated");
}

}  // namespace
}  // namespace weft::config::optimizer_keys_test
