#include "host/config/file/show.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "host/config/file/load.hpp"
#include "host/config/keys/keys.hpp"
#include "sw/network/network.hpp"
#include "tests/cli/program.hpp"

namespace weft::cli {
namespace {

/// Every key's value as text, with absolute paths.
std::map<std::string, std::string> values(config::Config config) {
  std::map<std::string, std::string> all;
  for (const auto& key : config::config_keys()) {
    std::string text = config::value_text(key.slot(config));
    if (key.name.ends_with("_dir") && text != "\"\"") text = std::filesystem::absolute(text).string();
    all[std::string(key.name)] = text;
  }
  return all;
}

class ConfigShow : public testing::Test {
 protected:
  ConfigShow() { write_small_run(folder_); }
  config::Config load(const std::vector<config::Override>& overrides = {}) const {
    return config::load_config(folder_ / "mine.yaml", overrides);
  }
  std::vector<std::string> state_hashes(const std::string& folder) const {
    std::istringstream lines(test::file_text(folder_ / (folder + "/metrics.jsonl")));
    std::vector<std::string> all;
    for (std::string line; std::getline(lines, line);) all.push_back(line.substr(line.find("state_hash"), 30));
    return all;
  }
  const test::TemporaryFolder folder_;
};

/// Values to try for a key: at least one differs from the current value and passes the rules that involve several keys.
std::vector<std::string> candidates(const config::Key<config::Config>& key, config::Config config) {
  if (key.name == "model.network") return {"gptj"};
  if (key.name == "train_input.more_data_dirs") return {"[/some/where else, \"/more: # of it\"]"};
  if (!key.choices.empty()) return {key.choices.begin(), key.choices.end()};
  const config::Slot slot = key.slot(config);
  if (auto* number = std::get_if<int*>(&slot)) return {std::to_string(**number * 2), std::to_string(**number + 1), "1"};
  if (std::holds_alternative<bool*>(slot)) return {"true", "false"};
  if (std::holds_alternative<std::string*>(slot)) return {"/some/where else: # no comment \"quoted\" \\ é"};
  if (std::holds_alternative<std::vector<std::string>*>(slot)) return {"[h.*.attn.*, \"h.0.mlp.c_*\"]"};
  if (std::holds_alternative<std::vector<double>*>(slot)) return {"[0.7, 0.30000000000000004]"};
  if (std::holds_alternative<std::vector<config::LearningRatePhase>*>(slot)) {
    return {
        "[{scheduler: Linear, initial_learning_rate: 0.1, end_learning_rate: 0.2, total_iters: 3}, "
        "{scheduler: CosineDecay, initial_learning_rate: 0.2, end_learning_rate: 0.0123456789, total_iters: 9}]"};
  }
  return {"0.1234567891234", "1e-7", "12.3456789"};
}

/// Other keys that must be set before `name` may be set.
std::vector<config::Override> companions(std::string_view name) {
  if (name == "optimizer.momentum" || name == "optimizer.dampening") return {{"optimizer.optimizer_type", "SGD"}};
  if (name == "optimizer.nesterov") return {{"optimizer.optimizer_type", "SGD"}, {"optimizer.momentum", "0.9"}};
  if (name == "sparsity.algorithm" || name == "sparsity.drop_fraction" || name == "sparsity.initial_sparsity" ||
      name.starts_with("sparsity.update_"))
    return {{"sparsity.algorithm", name == "sparsity.initial_sparsity" ? "gmp" : "rigl"},
            {"sparsity.update_freq", "1"},
            {"sparsity.update_stop", "1000"}};
  if (name == "wafer.row_groups") return {{"wafer.valves", "2"}};
  if (name == "train_input.weights") return {{"train_input.more_data_dirs", "[/more]"}};
  if (name == "runconfig.keep_best") return {{"runconfig.eval_frequency", "2"}};
  return {};
}

TEST_F(ConfigShow, EveryKeyIsReadBackFromTheSavedFile) {
  edit_run(folder_,
           "model:", "  tokenizer: bpe\neval_input:\n  data_dir: corpus.txt\nsparsity:\n  sparsity: 0.5\nmodel:");
  for (const auto& key : config::config_keys()) {
    if (key.min == key.max || key.choices.size() == 1) continue;  // only one value is supported
    const std::string name(key.name);
    bool tried = false;
    std::vector<config::Override> overrides = companions(name);
    const auto before = values(load(overrides));
    overrides.push_back({name, ""});
    for (const std::string& candidate : candidates(key, load())) {
      config::Config changed;
      try {
        overrides.back().value = candidate;
        changed = load(overrides);
      } catch (const Refusal&) {
        continue;  // violates a rule that involves several keys
      }
      if (values(changed) == before) continue;
      tried = true;
      const std::string kept = folder_.write("kept.yaml", config::config_yaml(changed));
      EXPECT_EQ(values(config::load_config(kept)), values(changed)) << name << " " << candidate;
      EXPECT_EQ(config::config_yaml(config::load_config(kept)), config::config_yaml(changed)) << name;
    }
    EXPECT_TRUE(tried) << name;
  }
}

TEST_F(ConfigShow, PathsHoldFromAnywhere) {
  const std::string kept =
      folder_.write("far/away/params.yaml", config::config_yaml(load({{"eval_input.data_dir", "/e.txt"}})));
  const config::Config config = config::load_config(kept);
  EXPECT_EQ(config.train_input.data_dir, folder_ / "corpus.txt");
  EXPECT_EQ(config.eval_input.data_dir, "/e.txt");
  EXPECT_TRUE(config.runconfig.model_dir.starts_with("/"));
  EXPECT_EQ(config.model.network, "gpt2");
}

TEST_F(ConfigShow, FilesThatWereTypedAreFoundFromAnywhere) {
  const std::string network = folder_.write("my_network", network::network_text("gpt2"));
  std::vector<config::Override> typed = {{"model.network", std::filesystem::relative(network)},
                                         {"train_input.tokenizer", "bpe"}};
  for (const char* key :
       {"train_input.vocab_file", "train_input.merges_file", "runconfig.prompts_file", "swarmx.key_file"})
    typed.push_back({key, "it"});
  const config::Config config =
      config::load_config(folder_.write("far/away/params.yaml", config::config_yaml(load(typed))));
  EXPECT_TRUE(config.model.network.starts_with("/")) << config.model.network;
  for (const std::string& path : {config.train_input.vocab_file, config.train_input.merges_file,
                                  config.runconfig.prompts_file, config.swarmx_key_file})
    EXPECT_EQ(path, std::filesystem::absolute("it"));
}

/// The suffix of the file's name does not matter.
TEST_F(ConfigShow, ANetworksFileIsNextToTheParameterFile) {
  folder_.write("my_network", network::network_text("gpt2"));
  edit_run(folder_, "model:", "model:\n  network: my_network");
  EXPECT_EQ(load().model.network, folder_ / "my_network");
}

TEST_F(ConfigShow, NumbersAreNumbersForReadersOfYaml11) {
  const std::string kept = config::config_yaml(load({{"optimizer.eps", "1e-9"}, {"optimizer.betas", "[1e-7, 0.5]"}}));
  for (const char* line : {"layer_norm_epsilon: 1.0e-05\n", "eps: 1.0e-09\n", "betas: [1.0e-07, 0.5]\n"}) {
    EXPECT_NE(kept.find(line), std::string::npos) << line << kept;
  }
}

TEST_F(ConfigShow, TheTableSaysWhereAValueIsFrom) {
  std::ostringstream out;
  config::print_config(load({{"wafer.rows", "4"}}), out);
  const auto has = [&](const std::string& key, const std::string& value, const std::string& from) {
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(key + " "))
        return line.find(" " + value + " ") != std::string::npos && line.ends_with(" " + from);
    }
    return false;
  };
  EXPECT_TRUE(has("wafer.rows", "4", "command line")) << out.str();
  EXPECT_TRUE(has("wafer.cols", "2", folder_ / "mine.yaml:18")) << out.str();
  EXPECT_TRUE(has("wafer.sram_kib", "48", "default")) << out.str();
  EXPECT_TRUE(has("optimizer.learning_rate", "0.01", folder_ / "mine.yaml:13")) << out.str();
  EXPECT_EQ(out.str().find("eval_input"), std::string::npos) << "a section nobody asked for";
}

TEST_F(ConfigShow, ChangesAreKeysWithOtherValuesThanTheirDefaults) {
  const auto changes = [&](const std::vector<config::Override>& overrides) {
    std::ostringstream out;
    config::print_changes(load(overrides), out);
    return out.str();
  };
  EXPECT_EQ(changes({{"wafer.depth", "0"}}), "set     optimizer.learning_rate 0.01\n");
  EXPECT_EQ(changes({{"wafer.depth", "4"},
                     {"optimizer.betas", "[0.9, 0.95]"},
                     {"runconfig.log_steps", "7"},
                     {"runconfig.model_dir", "out"}}),
            "set     optimizer.betas [0.9, 0.95], optimizer.learning_rate 0.01, runconfig.log_steps 7, "
            "runconfig.model_dir out,\n"
            "        wafer.depth 4\n");
  const std::string all = changes({{"runconfig.mode", "eval"}, {"eval_input.data_dir", "/e.txt"}});
  EXPECT_TRUE(all.starts_with("set     train_input.data_dir ")) << all;
  for (const char* part : {"model.hidden_size 8", "eval_input.data_dir /e.txt", "runconfig.mode eval", "wafer.rows 2"})
    EXPECT_NE(all.find(part), std::string::npos) << part << '\n' << all;
}

TEST_F(ConfigShow, ARunPrintsItsChangesAndAllSettingsOnRequest) {
  const std::vector<std::string> words = {"run", "--params", "mine.yaml",    "--model_dir",
                                          "out", "--mode",   "validate_only"};
  const ProgramResult brief = run_program(folder_, words);
  EXPECT_TRUE(brief.out.starts_with("set     train_input.data_dir corpus.txt")) << brief.out << brief.err;
  EXPECT_EQ(brief.out.find("memoryx.eager_update "), std::string::npos) << brief.out;
  std::vector<std::string> more = words;
  more.emplace_back("--show-config");
  const ProgramResult whole = run_program(folder_, more);
  EXPECT_TRUE(whole.out.starts_with("key ")) << whole.out << whole.err;
  EXPECT_NE(whole.out.find("memoryx.eager_update "), std::string::npos) << whole.out;
}

TEST_F(ConfigShow, ARunIsRepeatedFromWhatItKept) {
  const ProgramResult first = run_program(folder_, {"run", "--params", "mine.yaml", "--model_dir", "a", "--num_csx",
                                                    "2", "--train_input.seed", "5", "--optimizer.betas", "[0.8, 0.9]"});
  ASSERT_EQ(first.status, 0) << first.err;
  const ProgramResult again = run_program(folder_, {"run", "--params", "a/train/params.yaml", "--model_dir", "b"});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(state_hashes("a").size(), 3U);
  EXPECT_EQ(state_hashes("a"), state_hashes("b"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a/train/params.yaml.tmp"));
}

/// Uses the saved text of the network's file, regardless of the file's present content.
TEST_F(ConfigShow, ARunOfANetworkOfItsOwnIsRepeatedWithoutItsFile) {
  folder_.write("my_network", network::network_text("gpt2"));
  edit_run(folder_, "model:", "model:\n  network: my_network");
  const auto run = [&](const std::string& params, const std::string& folder) {
    return run_program(folder_, {"run", "--params", params, "--model_dir", folder});
  };
  const ProgramResult first = run("mine.yaml", "a");
  ASSERT_EQ(first.status, 0) << first.err;
  std::filesystem::remove(folder_ / "my_network");
  const ProgramResult again = run("a/train/params.yaml", "b");
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(state_hashes("a"), state_hashes("b"));
  const ProgramResult on = run_program(folder_, {"run", "--params", "a/train/params.yaml", "--num_steps", "4"});
  EXPECT_EQ(on.status, 0) << on.err;
  EXPECT_EQ(on.out.find("the text of model.network"), std::string::npos) << on.out;
  EXPECT_EQ(state_hashes("a").size(), 4U);
}

TEST_F(ConfigShow, AliasesAndMergesAreFollowed) {
  const std::string with_merge = folder_.write("merge.yaml", R"(train_input: &data
  data_dir: corpus.txt
  batch_size: 4
  micro_batch_size: &two 2
eval_input:
  data_dir: corpus.txt
model:
  hidden_size: 8
  num_hidden_layers: 1
  num_heads: *two
  max_sequence_length: 8
  vocab_size: 14
optimizer:
  learning_rate:
    - &phase {scheduler: Linear, initial_learning_rate: 0.1, end_learning_rate: 0.2, total_iters: 3}
    - <<: *phase
      total_iters: 5
)");
  const config::Config config = config::load_config(with_merge);
  EXPECT_EQ(config.model.heads, 2);
  ASSERT_EQ(config.optimizer.learning_rate.size(), 2U);
  EXPECT_EQ(config.optimizer.learning_rate[1].total_iters, 5);
  EXPECT_EQ(config.optimizer.learning_rate[1].end_learning_rate, 0.2);
  EXPECT_EQ(config.optimizer.learning_rate[0].total_iters, 3);
}

}  // namespace
}  // namespace weft::cli
