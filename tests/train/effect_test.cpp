/// Tests each key's declared effect on the bits of a run: a run with another value of the key is compared step by step.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "host/backends/backend.hpp"
#include "host/checkpoint/error.hpp"
#include "host/config/file/load.hpp"
#include "host/config/keys/key_names.hpp"
#include "host/config/keys/keys.hpp"
#include "host/memoryx/diverged.hpp"
#include "host/planning/choose_shape.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/train/train.hpp"
#include "tests/checkpoint/run_folder.hpp"
#include "tests/small_run.hpp"

namespace weft::train {
namespace {

/// Another value of a key, and the settings of both runs.
struct Trial {
  std::string key, value;
  std::vector<config::Override> both = {};
};

/// Settings with enough additions that their order affects the bits.
const std::vector<config::Override> kLarger = {
    {"model.hidden_size", "64"}, {"model.max_sequence_length", "16"}, {"train_input.micro_batch_size", "4"}};
const std::vector<config::Override> kMomentum = {{"optimizer.optimizer_type", "SGD"}, {"optimizer.momentum", "0.9"}};
const std::vector<config::Override> kDecay = {{"optimizer.weight_decay", "0.1"}};
const std::vector<config::Override> kSparse = {{"sparsity.sparsity", "0.5"}};
const std::vector<config::Override> kSet = {{"sparsity.sparsity", "0.5"},
                                            {"sparsity.algorithm", "set"},
                                            {"sparsity.update_freq", "1"},
                                            {"sparsity.update_stop", "4"}};
const std::vector<config::Override> kGmp = {{"sparsity.sparsity", "0.5"},
                                            {"sparsity.algorithm", "gmp"},
                                            {"sparsity.update_freq", "1"},
                                            {"sparsity.update_stop", "4"}};
/// The third step's rate is so high that the fourth step's loss jumps.
const std::vector<config::Override> kJump = {
    {"optimizer.learning_rate",
     "[{scheduler: Constant, learning_rate: 0.005, total_iters: 2}, {scheduler: Constant, learning_rate: 1, "
     "total_iters: 1}, {scheduler: Constant, learning_rate: 0.005}]"},
    {"runconfig.max_loss_jump", "0.5"},
    {"runconfig.on_divergence", "rollback"},
    {"runconfig.checkpoint_steps", "2"},
    {"runconfig.max_steps", "6"}};

/// LLaMA with scaled angles: of the two frequencies of a head, the lower one makes 0.3 turns over the original length.
const std::vector<config::Override> kLlama = {
    {"model.network", "llama"},       {"model.num_kv_heads", "1"},        {"model.rotary_dim", "4"},
    {"model.rope_scaling", "llama3"}, {"model.rope_scaling_factor", "2"}, {"model.rope_original_length", "200"}};

const std::vector<Trial>& trials() {
  static const std::vector<Trial> all = {
      {"train_input.pad_documents", "true", {{"train_input.data_dir", "documents.jsonl"}}},
      {"train_input.batch_size", "6"},
      {"train_input.micro_batch_size", "1"},
      {"wafer.row_groups",
       "2",
       {{"wafer.valves", "2"}, {"model.hidden_size", "64"}, {"model.max_sequence_length", "16"}}},
      {"train_input.auto_num_csx", "3"},
      {"train_input.shuffle", "false"},
      {"train_input.seed", "2"},
      {"eval_input.data_dir", "documents.jsonl"},
      {"eval_input.batch_size", "6"},
      {"model.hidden_size", "16"},
      {"model.num_hidden_layers", "2"},
      {"model.num_heads", "1"},
      {"model.rotary_dim",
       "4",
       {{"model.network", "gptj"}, {"model.rotary_dim", "2"}, {"model.share_embedding_weights", "false"}}},
      {"model.num_kv_heads", "2", kLlama},
      {"model.rotary_layout", "halves", kLlama},
      {"model.rope_theta", "100", kLlama},
      {"model.rope_scaling", "linear", kLlama},
      {"model.rope_scaling_factor", "4", kLlama},
      {"model.rope_low_freq_factor", "0.1", kLlama},
      {"model.rope_high_freq_factor", "40", kLlama},
      {"model.rope_original_length", "2000", kLlama},
      {"model.filter_size", "24"},
      {"model.max_sequence_length", "4"},
      {"model.document_end", "3"},
      {"model.num_segments", "3", {{"model.network", "bert"}, {"model.num_segments", "2"}}},
      {"model.padding_token", "3", {{"model.network", "bert"}, {"model.num_segments", "2"}}},
      {"model.vocab_size", "20"},
      {"model.share_embedding_weights", "false"},
      {"model.recompute", "block"},
      {"model.layer_norm_epsilon", "0.01"},
      {"model.label_smoothing", "0.1"},
      {"model.residual_dropout_rate", "0.1"},
      {"model.embedding_dropout_rate", "0.1"},
      {"model.attention_dropout_rate", "0.1"},
      {"optimizer.optimizer_type", "Lion"},
      {"optimizer.betas", "[0.8, 0.9]"},
      {"optimizer.eps", "0.001"},
      {"optimizer.momentum", "0.5", kMomentum},
      {"optimizer.dampening", "0.5", kMomentum},
      {"optimizer.nesterov", "true", kMomentum},
      {"optimizer.weight_decay", "0.2", kDecay},
      {"optimizer.no_decay_params", "wte.weight", kDecay},
      {"optimizer.decay_params", "ln_f.weight", kDecay},
      {"optimizer.frozen_params", "wte.weight"},
      {"optimizer.correct_bias", "false"},
      {"optimizer.max_gradient_norm", "0.1"},
      {"optimizer.learning_rate", "0.01"},
      {"sparsity.sparsity", "0.6", kSparse},
      {"sparsity.init_method", "topk", kSparse},
      {"sparsity.params_filter", "h.0.mlp.*.weight", kSparse},
      {"sparsity.seed", "2", kSparse},
      {"sparsity.algorithm", "rigl", kSet},
      {"sparsity.update_freq", "2", kSet},
      {"sparsity.update_start", "1", kSet},
      {"sparsity.update_stop", "2", kSet},
      {"sparsity.drop_fraction", "0.5", kSet},
      {"sparsity.initial_sparsity", "0.2", kGmp},
      {"runconfig.max_steps", "7"},
      {"runconfig.num_steps", "7"},
      {"runconfig.num_csx", "2"},
      {"runconfig.log_steps", "2"},
      {"runconfig.log_style", "global_step"},
      {"runconfig.save_summary_steps", "0"},
      {"runconfig.on_divergence", "skip", kJump},
      {"runconfig.max_loss_jump", "0", kJump},
      {"runconfig.eval_frequency", "0"},
      {"runconfig.eval_steps", "2"},
      {"runconfig.seed", "2"},
      {"runconfig.mode", "train_and_eval"},
      {"runconfig.model_dir", "elsewhere"},
      {"runconfig.checkpoint_steps", "3", kJump},
      {"runconfig.checkpoint_steps", "1"},
      {"runconfig.keep_checkpoint_max", "1", {{"runconfig.checkpoint_steps", "1"}}},
      {"runconfig.save_initial_checkpoint", "true"},
      {"runconfig.keep_best", "true"},
      {"runconfig.prompt", "abc"},
      {"runconfig.prompt_tokens", "1,2"},
      {"runconfig.prompts_file", "corpus.txt"},
      {"runconfig.max_new_tokens", "7"},
      {"runconfig.temperature", "0.5"},
      {"runconfig.top_k", "3"},
      {"runconfig.top_p", "0.5"},
      {"runconfig.use_cache", "never"},
      {"runconfig.stop", "b"},
      {"wafer.backend", "model,model", {{"runconfig.num_csx", "2"}}},  // for RTL see tests/run/same_bits_test.cpp
      {"wafer.check", "model"},
      {"wafer.rows", "4", kLarger},
      {"wafer.cols", "4", kLarger},
      {"wafer.lanes", "2"},
      {"wafer.sram_kib", "64"},
      {"wafer.valves", "2"},
      {"wafer.psum_cycles", "2"},
      {"wafer.attention",
       "shared",
       {{"model.hidden_size", "32"},
        {"model.max_sequence_length", "32"},
        {"train_input.batch_size", "16"},
        {"train_input.micro_batch_size", "4"},
        {"wafer.rows", "4"},
        {"wafer.cols", "4"},
        {"wafer.sequence_columns", "4"}}},
      {"wafer.threads", "2"},
      {"wafer.depth", "4"},
      {"fpga.device", "emulated"},
      {"fpga.baud", "1000000"},
      {"swarmx.fanout", "2", {{"runconfig.num_csx", "2"}}},
      {"swarmx.nodes", "1"},
      {"swarmx.min_csx", "1", {{"runconfig.num_csx", "2"}}},
      {"swarmx.silence", "20"},
      {"swarmx.timeout", "20"},
      {"swarmx.straggler", "0"},
      {"swarmx.key_file", "corpus.txt"},
      {"memoryx.threads", "2"},
      {"memoryx.ranks", "1"},
      {"memoryx.dram_gib", "0.001"},
      {"memoryx.flash_dir", ".", {{"memoryx.dram_gib", "0.001"}}},
      {"memoryx.eager_update", "true"},
      {"metrics.prometheus", "weft.prom"},
  };
  return all;
}

class EffectTest : public testing::Test {
 protected:
  EffectTest() {
    checkpoint::write_text(folder_ / "corpus.txt", test::small_corpus());
    std::string documents;
    for (std::size_t at = 0, size = 1; at + size < 2000; at += size, size = size * 5 % 23 + 1)
      documents += "{\"text\": \"" + test::small_corpus().substr(at, size) + "\"}\n";
    checkpoint::write_text(folder_ / "documents.jsonl", documents);
    checkpoint::write_text(folder_ / "run.yaml", std::string(test::kSmallParams) + R"(optimizer:
  learning_rate: 0.005
eval_input:
  data_dir: corpus.txt
  batch_size: 4
runconfig:
  max_steps: 4
  eval_frequency: 2
  eval_steps: 1
wafer:
  rows: 2
  cols: 2
  valves: 1
)");
  }
  /// The state after each of the first steps.
  std::string states(const std::vector<config::Override>& overrides) {
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder_ / "");  // paths of a command line are relative to it
    config::Config config = config::load_config("run.yaml", overrides);
    config.runconfig.model_dir = folder_ / fmt::format("{}{}", config.runconfig.model_dir, ++runs_);
    (void)planning::choose_shape(config);
    const int steps = config.runconfig.max_steps == 7 ? 4 : config.runconfig.max_steps;
    std::ostringstream out;
    const auto wafer = [&](int id) { return backends::make_wafer(config, id); };
    try {
      EXPECT_EQ(train(config, wafer, out), 0) << out.str();
    } catch (const memoryx::Diverged&) {  // the lines of its steps are written
    }
    std::filesystem::current_path(before);
    std::istringstream lines(checkpoint::text_of(config.runconfig.model_dir + "/metrics.jsonl"));
    std::string result, line;
    for (int step = 0; step < steps && std::getline(lines, line); ++step)
      result += nlohmann::json::parse(line).at("state_hash").get<std::string>() + " ";
    return result;
  }

  checkpoint::TestFolder folder_{"effect_test"};
  int runs_ = 0;
};

TEST_F(EffectTest, EveryKeyHasTheEffectOnTheBitsOfARunThatItsRowClaims) {
  std::map<std::string, std::string> known;  // by settings
  for (const Trial& trial : trials()) {
    SCOPED_TRACE(trial.key + " " + trial.value);
    std::string settings;
    for (const config::Override& one : trial.both) settings += one.key + "=" + one.value + ";";
    if (!known.contains(settings)) known[settings] = states(trial.both);
    std::vector<config::Override> other = trial.both;
    std::erase_if(other, [&](const config::Override& one) { return one.key == trial.key; });
    other.push_back({trial.key, trial.value});
    const config::Config config = config::load_config(folder_ / "run.yaml", trial.both);
    const config::Key<config::Config>& key = config::config_key(trial.key, {});
    const std::string same = known[settings], with = states(other);
    EXPECT_EQ(with != same, key.effect.changes_bits(config)) << same << "and " << with;
  }
}

TEST_F(EffectTest, EveryKeyIsTried) {
  for (const config::Key<config::Config>& key : config::config_keys()) {
    const bool derived = key.effect == config::Effect::Kind::Derived;  // covered by tests/train/run_settings_test.cpp
    // The size of a tensor, and marks of documents: such runs train on HDF5 alone.
    if (key.name == "model.num_classes" || key.name == "train_input.use_vsl") continue;
    EXPECT_EQ(std::ranges::count(trials(), key.name, &Trial::key) > 0, !derived) << key.name;
  }
}

}  // namespace
}  // namespace weft::train
