/// Names of keys in parameter files and commands of the Model Zoo.
#include "host/config/keys/model_zoo.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "host/config/command_line/arguments.hpp"
#include "host/config/command_line/flags.hpp"
#include "host/config/file/load.hpp"
#include "host/config/file/model_zoo_values.hpp"
#include "host/config/file/show.hpp"
#include "host/config/keys/keys.hpp"
#include "host/config/keys/path_keys.hpp"
#include "tests/says.hpp"
#include "tests/small_run.hpp"

namespace weft::config {

bool operator==(const Override& a, const Override& b);  // arguments_test.cpp

namespace {

Config parsed(const std::string& more, const std::vector<Override>& overrides = {}) {
  return parse_config(test::kSmallParams + more, "mine.yaml", overrides);
}

std::string noted(const Config& config) { return fmt::format("{}", fmt::join(notes_on_names(config), "\n")); }

std::string refused(const auto& what) {
  try {
    what();
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "nothing refused";
}

TEST(ModelZoo, OtherNamesMeanTheKeysHere) {
  const Config config = parsed("runconfig:\n  save_checkpoints_steps: 7\n  tf_random_seed: 3\n");
  EXPECT_EQ(config.runconfig.checkpoint_steps, 7);
  EXPECT_EQ(config.runconfig.seed, 3);
  EXPECT_EQ(config.place("runconfig.checkpoint_steps").line, 13);
  EXPECT_EQ(parsed("runconfig:\n  save_checkpoints_steps: 7\n", {{"runconfig.save_checkpoints_steps", "9"}})
                .runconfig.checkpoint_steps,
            9);
  for (const OtherName& other : other_names())
    EXPECT_NE(std::ranges::find(config_keys(), other.key, &Key<Config>::name), config_keys().end()) << other.key;
}

TEST(ModelZoo, AKeyUnderBothNamesIsRefused) {
  EXPECT_EQ(
      refused([] { parsed("runconfig:\n  checkpoint_steps: 7\n  save_checkpoints_steps: 8\n"); }),
      "mine.yaml:14: runconfig.save_checkpoints_steps: sets runconfig.checkpoint_steps, which mine.yaml:13 already "
      "sets. HINT: remove one.");
}

/// Keys and values in the Model Zoo's files for GPT-2 and GPT-3 that have no effect because they ask for the built-in
/// behavior.
constexpr const char* kZooFile = R"(
train_input:
  data_processor: GptHDF5DataProcessor
  data_dir: ./train
  batch_size: 12
  micro_batch_size: 4
  shuffle: True
  shuffle_seed: 256
  num_workers: 8
  prefetch_factor: 10
  persistent_workers: True
  vocab_size: 96
  max_sequence_length: 16
eval_input:
  data_processor: GptHDF5DataProcessor
  data_dir: ./val
  batch_size: 12
  shuffle: False
  num_workers: 8
model:
  model_name: gpt3
  hidden_size: 64
  vocab_size: 96
  use_position_embedding: True
  position_embedding_type: learned
  share_embedding_weights: True
  max_position_embeddings: 16
  num_hidden_layers: 2
  dropout_rate: 0.0
  layer_norm_epsilon: 1.0e-5
  loss_scaling: batch_size
  loss_weight: 0.0625
  num_heads: 4
  attention_type: scaled_dot_product
  attention_dropout_rate: 0.0
  use_projection_bias_in_attention: True
  use_ffn_bias_in_attention: True
  filter_size: 256
  nonlinearity: gelu_new
  use_ffn_bias: True
  use_bias_in_output: False
  initializer: {name: normal, mean: 0.0, std: 0.02}
  output_layer_initializer: {name: normal, mean: 0.0, std: 0.01}
  extra_attention_params: {}
  lora_params:
  mixed_precision: True
  use_bfloat16: True
optimizer:
  optimizer_type: adamw
  beta1: 0.9
  beta2: 0.95
  epsilon: 1.0e-8
  max_gradient_norm: 1.0
  weight_decay_rate: 0.1
  use_bias_correction: True
  log_summaries: True
  initial_loss_scale: 2147483648.0
  max_loss_scale: 2147483648.0
  learning_rate:
    - scheduler: Linear
      initial_learning_rate: 0.0
      end_learning_rate: 0.006
      steps: 5
      disable_lr_steps_reset: False
    - scheduler: CosineDecay
      initial_learning_rate: 0.006
      end_learning_rate: 0.0006
      decay_steps: 95
runconfig:
  max_steps: 100
  log_steps: 1
  checkpoint_steps: 10
  save_initial_checkpoint: False
  seed: 1
  enable_distributed: False
  precision_opt_level: 1
  use_cs_grad_accum: True
  save_losses: True
)";

TEST(ModelZoo, AFileWhoseKeysSayWhatIsDoneAnywayIsTaken) {
  const Config config = parse_config(kZooFile, "zoo.yaml");
  EXPECT_EQ(config.model.seq, 16);
  EXPECT_EQ(config.train_input.seed, 256);
  EXPECT_EQ(config.optimizer.optimizer_type, "AdamW");
  EXPECT_EQ(config.optimizer.betas, (std::vector<double>{0.9, 0.95}));
  EXPECT_EQ(config.optimizer.learning_rate[0].total_iters, 5);
  EXPECT_EQ(config.optimizer.learning_rate[1].total_iters, 95);
  EXPECT_EQ(
      noted(config),
      "note    keys of the Model Zoo that change nothing here: eval_input.num_workers, optimizer.initial_loss_scale, "
      "optimizer.log_summaries, optimizer.max_loss_scale, runconfig.precision_opt_level, runconfig.save_losses, "
      "runconfig.use_cs_grad_accum, train_input.num_workers, train_input.persistent_workers, "
      "train_input.prefetch_factor");
  EXPECT_EQ(noted(parsed("runconfig:\n  save_losses: [1, 2]\n")),
            "note    keys of the Model Zoo that change nothing here: runconfig.save_losses");
  EXPECT_EQ(noted(parsed("")), "");
}

TEST(ModelZoo, FormerNamesAreNoted) {
  EXPECT_EQ(noted(parsed("memoryx:\n  early: true\n")),
            "note    memoryx.early is the former name of memoryx.eager_update");
  EXPECT_EQ(noted(parsed("", {{"memoryx.early", "true"}})),
            "note    memoryx.early is the former name of memoryx.eager_update");
  EXPECT_EQ(noted(parsed("memoryx:\n  eager_update: true\n")), "");
}

TEST(ModelZoo, ValuesThatWeftLacksAreRefusedAllAtOnce) {
  std::string file = kZooFile;
  const auto edit = [&](const std::string& from, const std::string& to) {
    const std::size_t at = file.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    file.replace(at, from.size(), to);
  };
  edit("  dropout_rate: 0.0", "  dropout_rate: 0.1");
  edit("gelu_new", "gelu");
  edit("position_embedding_type: learned", "position_embedding_type: alibi");
  edit("mixed_precision: True", "mixed_precision: False");
  edit("vocab_size: 96", "vocab_size: 97");
  edit("loss_weight: 0.0625", "loss_weight: 0.5");
  edit("std: 0.02", "std: 0.03");
  edit("  num_heads: 4\n", "");
  const std::string all = refused([&] { parse_config(file, "zoo.yaml"); });
  EXPECT_EQ(std::ranges::count(all, '\n'), 8) << all;
  for (const char* key :
       {"train_input.vocab_size: only", "model.dropout_rate: only", "model.nonlinearity: only",
        "model.position_embedding_type: only", "model.mixed_precision: only", "model.loss_weight: only",
        "model.loss_scaling: only", "model.initializer: only", "model.num_heads: missing"})
    EXPECT_NE(all.find(key), std::string::npos) << key << "\n" << all;
}

TEST(ModelZoo, ValuesAreThoseOfTheNetwork) {
  const auto of = [](const char* network, const std::string& nonlinearity, const std::string& more = "") {
    std::string file = kZooFile;
    file.replace(file.find("gelu_new"), 8, nonlinearity + more);
    return refused([&] { parse_config(file, "zoo.yaml", {{"model.network", network}}); });
  };
  EXPECT_EQ(of("gpt2", "gelu_new"), "nothing refused");
  EXPECT_EQ(of("cerebras_gpt", "gelu"), "nothing refused");
  EXPECT_SAYS(of("gpt2", "gelu"), "set model.network cerebras_gpt for GELU by erf (gelu)");
  EXPECT_SAYS(of("cerebras_gpt", "gelu_new"), "model.nonlinearity: only");
  EXPECT_EQ(of("gpt2", "gelu_new", "\n  norm_type: layernorm"), "nothing refused");
  EXPECT_SAYS(of("gpt2", "gelu_new", "\n  norm_type: rmsnorm"), "model.norm_type: only");
  const std::string llama = of("llama", "gelu", "\n  norm_type: rmsnorm");
  EXPECT_SAYS(llama, "model.use_ffn_bias: only");
  EXPECT_EQ(llama.find("norm_type"), std::string::npos) << llama;
}

TEST(ModelZoo, SettingsOfItsRunsThatMeanWhatIsDoneAnywayAreTaken) {
  const std::string run = "runconfig:\n  ";
  for (const char* line : {"init_method: env://", "check_loss_values: true", "target_device: CSX", "drop_data: false",
                           "disable_strict_checkpoint_loading: False", "dist_backend: nccl"})
    EXPECT_EQ(refused([&] { parsed(run + line + "\n"); }), "nothing refused") << line;
  EXPECT_EQ(refused([] { parsed("  attention_kernel: default\n"); }), "nothing refused");
  EXPECT_SAYS(noted(parsed(run + "dist_backend: nccl\n")), "change nothing here: runconfig.dist_backend");
  const auto only = [&](const std::string& line) { return refused([&] { parsed(run + line + "\n"); }); };
  EXPECT_SAYS(only("init_method: tcp://10.0.0.1:29500"), "runconfig.init_method: only the Model Zoo has it");
  EXPECT_SAYS(only("check_loss_values: false"), "runconfig.check_loss_values: only the Model Zoo has it");
  EXPECT_SAYS(only("target_device: GPU"), "set wafer.backend model, rtl or fpga");
  EXPECT_SAYS(only("drop_data: true"), "runconfig.drop_data: only the Model Zoo has it");
  EXPECT_SAYS(refused([] { parsed("  attention_kernel: optimized_beta\n"); }), "model.attention_kernel: only");
}

TEST(ModelZoo, EquivalentKeysDependOnTheNetwork) {
  const std::string rotary = "  position_embedding_type: rotary\n  use_bias_in_output: true\n";
  EXPECT_SAYS(refused([&] { parsed(rotary); }), "model.position_embedding_type: only the Model Zoo has it");
  EXPECT_EQ(refused([&] {
              parsed(rotary + "  network: gptj\n  share_embedding_weights: false\n", {{"model.rotary_dim", "2"}});
            }),
            "nothing refused");
  EXPECT_EQ(refused([&] { parsed("  dropout_rate: 0.1\n", {{"model.dropout_rate", "0"}}); }), "nothing refused");
}

TEST(ModelZoo, ALearningRatesPhaseHasOneLength) {
  EXPECT_SAYS(refused([] {
                parsed(
                    "optimizer:\n  learning_rate:\n    - scheduler: Constant\n      learning_rate: 1\n"
                    "      steps: 3\n      total_iters: 4\n");
              }),
              "optimizer.learning_rate.total_iters: sets total_iters, which the phase already has. HINT: remove one");
}

/// A list is kept, shown and read again as several paths.
TEST(ModelZoo, DataFoldersMayBeAList) {
  const std::vector<std::string> both = {"a", "$HOME/b"};
  const Config config = parsed("eval_input:\n  data_dir: [a, $$HOME/b]\n");
  EXPECT_EQ(listed_paths(config.eval_input.data_dir), both);
  const Config again = parse_config(config_yaml(config), "/x/params.yaml", {});
  EXPECT_EQ(listed_paths(again.eval_input.data_dir).size(), 2U);
  EXPECT_TRUE(listed_paths(again.eval_input.data_dir)[1].ends_with("/$HOME/b")) << again.eval_input.data_dir;
  std::ostringstream shown;
  print_config(config, shown);
  EXPECT_SAYS(shown.str(), "a, $HOME/b");
}

TEST(ModelZoo, UnsupportedKeyHintsTheNearestOne) {
  EXPECT_EQ(refused([] { parsed("runconfig:\n  multireplica: true\n"); }),
            "mine.yaml:13: runconfig.multireplica: only the Model Zoo has it, where it trains on several wafers. HINT: "
            "set runconfig.num_csx.");
  EXPECT_EQ(refused([] { parsed("csconfig:\n  x: 1\n"); }),
            "mine.yaml:12: csconfig: only the Model Zoo has it, where it configures a wafer's system. HINT: use the "
            "sections wafer, swarmx and memoryx.");
  EXPECT_EQ(
      refused([] {
        parsed("", {{"model.dropout_rate", "0.1"}});
      }),
      "command line: model.dropout_rate: only the Model Zoo has it, where it leaves activations out at random. HINT: "
      "leave it out, and set model.residual_dropout_rate and model.embedding_dropout_rate.");
  EXPECT_EQ(refused([] {
              parse_arguments({"run", "--params", "p", "--mount_dirs", "d"});
            }),
            "command line: --mount_dirs: only the Model Zoo has it, where it makes folders known inside the cluster. "
            "HINT: leave it out: each rank runs in the folder in which you are.");
}

TEST(ModelZoo, UnsupportedKeyIsKnownInOtherSectionsToo) {
  EXPECT_EQ(refused([] { parsed("eval_input:\n  data_processor: BertDataProcessor\n"); }),
            "mine.yaml:13: eval_input.data_processor: only the Model Zoo has it, where it names the class that reads "
            "the data. HINT: leave it out: the format of train_input.data_dir is detected, and train_input.tokenizer "
            "is that of a text.");
  EXPECT_EQ(refused([] { parsed("runconfig:\n  num_wgt_servers: 2\n"); }),
            "mine.yaml:13: runconfig.num_wgt_servers: only the Model Zoo has it, where it spreads weights over this "
            "number of "
            "machines. HINT: leave it out: MemoryX is the root, or ranks of its own (memoryx.ranks, "
            "docs/howto/run_several_processes.md).");
  for (const Lacking& lacking : lacking_flags())
    EXPECT_NE(find_lacking_key("runconfig." + std::string(lacking.name)), nullptr) << lacking.name;
  EXPECT_EQ(find_lacking_key("runconfig.what"), nullptr);
  EXPECT_EQ(find_lacking_key("eval_input.what"), nullptr);
}

TEST(ModelZoo, AllErrorsOfAFileAreReportedAtOnce) {
  const std::string all = refused([] {
    parsed(
        "eval_input:\n  data_dir: a\n  num_samples: 8\ncsconfig:\n  x: 1\nrunconfig:\n  max_steps: many\n"
        "  max_stepz: 4\n  max_steps: 5\nsparsity:\n  sparsity: 2\n");
  });
  EXPECT_EQ(std::ranges::count(all, '\n'), 3) << all;
  for (const char* start : {"mine.yaml:14: eval_input.num_samples: only", "mine.yaml:15: csconfig: only",
                            "\nmine.yaml:20: runconfig.max_steps: given twice, first at mine.yaml:18",
                            "\nmine.yaml:22: sparsity.sparsity: 2 is out of range"})
    EXPECT_NE(all.find(start), std::string::npos) << start << all;
  std::string many = "runconfig:\n";
  for (int i = 0; i < 1000; ++i) many += "  unknown" + std::to_string(i) + ": 1\n";
  const std::string first = refused([&] { parsed(many); });
  EXPECT_EQ(std::ranges::count(first, '\n'), 99) << "a hundred of them are enough";
  EXPECT_NE(first.find("runconfig.unknown99: "), std::string::npos);
}

/// Hints name only keys that exist.
TEST(ModelZoo, TheNearestIsThere) {
  const auto check = [](const Lacking& lacking) {
    const std::string text(lacking.nearest);
    const std::regex key(R"((?:--)?\b((?:train_input|eval_input|model|optimizer|sparsity|runconfig|wafer|)"
                         R"(fpga|swarmx|memoryx)\.[a-z_]+))");
    for (std::sregex_iterator at(text.begin(), text.end(), key), end; at != end; ++at)
      EXPECT_NE(std::ranges::find(config_keys(), (*at)[1].str(), &Key<Config>::name), config_keys().end()) << text;
    EXPECT_FALSE(lacking.would.empty());
    EXPECT_EQ(own_key(lacking.name), lacking.name) << "it is another name of a key";
  };
  for (const Lacking& lacking : lacking_keys()) check(lacking);
  for (const Lacking& lacking : lacking_phase_keys()) check(lacking);
  for (const Lacking& lacking : lacking_flags()) {
    check(lacking);
    EXPECT_EQ(std::ranges::find(key_flags(), lacking.name, &Flag::name), key_flags().end()) << lacking.name;
  }
}

TEST(ModelZoo, TheLaunchLineOfTheText) {
  const Arguments a = parse_arguments({"run", "-m", "train", "-o", "gpt3_xl_pile", "-p", "configs/x.yaml", "--cs_ip",
                                       "10.0.0.5", "--max_steps", "2000"});
  EXPECT_EQ(a.params, "configs/x.yaml");
  EXPECT_EQ(a.overrides, (std::vector<Override>{{"runconfig.mode", "train"},
                                                {"runconfig.model_dir", "gpt3_xl_pile"},
                                                {"runconfig.max_steps", "2000"},
                                                {"wafer.backend", "fpga"},
                                                {"fpga.device", "[\"udp:10.0.0.5\"]"}}));
  EXPECT_EQ(parse_arguments({"run", "-p", "p", "--compile_only"}).overrides,
            (std::vector<Override>{{"runconfig.mode", "compile_only"}}));
}

TEST(ModelZoo, AnAddressIsABoardsOrRefused) {
  const auto devices = [](const std::string& address, const std::string& backend) {
    return parse_arguments({"run", "-p", "p", "--cs_ip", address, "--backend", backend}).overrides.back().value;
  };
  EXPECT_EQ(devices("10.0.0.5:77,10.0.0.6", "fpga"), "[\"udp:10.0.0.5:77\", \"udp:10.0.0.6\"]");
  EXPECT_EQ(devices("/dev/ttyUSB0", "fpga,model"), "[\"/dev/ttyUSB0\"]");
  EXPECT_EQ(refused([&] { devices("10.0.0.5", "rtl"); }),
            "command line: --cs_ip: is a board's address, but --backend rtl simulates wafers. HINT: leave one of them "
            "out.");
  const std::string none =
      "command line: --cs_ip: has no address. HINT: name a board's, ADDRESS or ADDRESS:PORT; without the flag wafers "
      "are simulated here.";
  EXPECT_EQ(refused([] { parse_arguments({"run", "-p", "p", "--cs_ip", "--max_steps", "2"}); }), none);
  EXPECT_EQ(refused([&] { devices("", "fpga"); }), none);
  EXPECT_EQ(refused([&] { devices("10.0.0.5,", "fpga"); }), none);
}

}  // namespace
}  // namespace weft::config
