#include "host/config/config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "host/config/file/load.hpp"
#include "host/config/keys/keys.hpp"
#include "tests/config/good_config.hpp"
#include "weft_lanes.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

class ConfigTest : public testing::Test {
 protected:
  ConfigTest() {
    fs::create_directories(folder_ / "configs");
    start_ = fs::current_path();
    fs::current_path(folder_);
  }
  ~ConfigTest() override {
    fs::current_path(start_);
    fs::remove_all(folder_);
  }

  Config load(const std::string& text, const std::vector<Override>& overrides = {}) {
    std::ofstream("configs/mine.yaml") << text;
    return load_config("configs/mine.yaml", overrides);
  }
  /// kGood with `from` replaced.
  static std::string with(const std::string& from, const std::string& to) {
    std::string text = kGood;
    return text.replace(text.find(from), from.size(), to);
  }
  std::string message(const std::string& text, const std::vector<Override>& overrides = {}) {
    try {
      load(text, overrides);
    } catch (const Refusal& e) {
      return e.what();
    }
    return "no error";
  }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("weft_config_test_" + std::to_string(getpid()));
  fs::path start_;
};

TEST_F(ConfigTest, ANetworkThatIsNotThereHasThePlaceOfItsKey) {
  EXPECT_TRUE(message(kGood, {{"model.network", "gpt5"}}).starts_with("command line: model.network: gpt5 is neither"));
  EXPECT_TRUE(message(with("model:\n", "model:\n  network: none.yaml\n")).find("configs/mine.yaml:") == 0);
}

TEST_F(ConfigTest, ReadsValuesAndKeepsDefaults) {
  const Config c = load(kGood);
  EXPECT_EQ(c.model.hidden, 64);
  EXPECT_EQ(c.model.micro_batch, 4);
  EXPECT_EQ(c.micro_batches(), 3);
  EXPECT_EQ(c.model.filter, 4 * 64);
  EXPECT_TRUE(c.model.filter_follows);
  EXPECT_EQ(c.optimizer.betas, (std::vector<double>{0.9, 0.95}));
  ASSERT_EQ(c.optimizer.learning_rate.size(), 2U);
  EXPECT_EQ(c.optimizer.learning_rate[0].end_learning_rate, 3e-3);
  EXPECT_EQ(c.wafer.rows, WaferShape{}.rows);
  EXPECT_EQ(c.backend, "model");
}

TEST_F(ConfigTest, WafersTakeSeveralBackendsInTurn) {
  const Config c = load(
      kGood,
      {{"wafer.backend", "model,rtl,fpga"}, {"runconfig.num_csx", "6"}, {"fpga.device", "[/dev/a, \"udp:10.0.0.1\"]"}});
  std::string all;
  for (int id = 0; id < 6; ++id) all += c.backend_of(id) + " ";
  EXPECT_EQ(all, "model rtl fpga model rtl fpga ");
  EXPECT_EQ(c.device_of(2), "/dev/a");
  EXPECT_EQ(c.device_of(5), "udp:10.0.0.1");
  EXPECT_TRUE(c.runs_on("rtl"));
  const Config one = load(kGood, {{"wafer.backend", "model,rtl"}, {"wafer.check", "rtl"}});
  EXPECT_FALSE(one.runs_on("rtl"));
  EXPECT_TRUE(one.has_backend("rtl"));
}

TEST_F(ConfigTest, WTurnsAroundUnlessAWaferIsABoard) {
  for (const auto& [backend, turns] :
       {std::pair("model,rtl", true), std::pair("fpga", false), std::pair("model,fpga", false)}) {
    const Config c = load(kGood, {{"wafer.backend", backend}, {"runconfig.num_csx", "2"}, {"wafer.cols", "20"}});
    EXPECT_EQ(c.wafer.w_turns(), turns) << backend;
  }
}

TEST_F(ConfigTest, EachBoardNeedsADeviceOfItsOwn) {
  const std::vector<Override> two = {{"wafer.backend", "fpga"}, {"runconfig.num_csx", "2"}};
  const auto with = [&](const std::string& device) {
    std::vector<Override> all = two;
    all.push_back({"fpga.device", device});
    return message(kGood, all);
  };
  EXPECT_EQ(message(kGood, two), "no error");  // each wafer gets an emulated board of its own
  EXPECT_EQ(with("emulated"), "no error");
  EXPECT_EQ(with("[/dev/a, /dev/b]"), "no error");
  EXPECT_EQ(
      with("/dev/a"),
      "command line: fpga.device: 1 device for 2 wafers on boards. HINT: name one for each, e.g. \"[/dev/ttyUSB0, "
      "/dev/ttyUSB1]\".");
}

TEST_F(ConfigTest, AMeshThatABoardIsToSayNeedsABoard) {
  EXPECT_EQ(load(kGood, {{"wafer.cols", "auto"}, {"wafer.backend", "fpga"}}).wafer.cols, 0);
  EXPECT_EQ(message(kGood, {{"wafer.rows", "auto"}}),
            "command line: wafer.rows: auto, but there is no board to ask. HINT: write a number, or use wafer.backend "
            "fpga.");
  EXPECT_EQ(message(kGood, {{"wafer.sram_kib", "auto"}}),
            "command line: wafer.sram_kib: auto, but there is no board to ask. HINT: write a number, or use "
            "wafer.backend fpga.");
  EXPECT_EQ(message(kGood, {{"wafer.lanes", "auto"}, {"wafer.backend", "fpga"}}),
            "command line: wafer.lanes: \"auto\" is not an integer. HINT: use digits only, e.g. 4.");
}

TEST_F(ConfigTest, ValvesAreANumberOrAuto) {
  EXPECT_EQ(load(kGood, {{"wafer.valves", "auto"}}).wafer.valves, 0);
  EXPECT_EQ(load(kGood, {{"wafer.valves", "2"}}).wafer.valves, 2);
  EXPECT_EQ(message(kGood, {{"wafer.valves", "0"}}),
            "command line: wafer.valves: 0 is out of range. HINT: use 1 to 1024.");
  EXPECT_EQ(message(kGood, {{"wafer.valves", "automatic"}}),
            "command line: wafer.valves: \"automatic\" is not an integer. HINT: use digits only, e.g. 4, or auto.");
}

TEST_F(ConfigTest, ADataPathCountsFromTheParameterFile) {
  EXPECT_EQ(load(kGood).train_input.data_dir, "configs/text/corpus.txt");
  EXPECT_EQ(load(kGood, {{"train_input.data_dir", "here.txt"}}).train_input.data_dir, "here.txt");
}

TEST_F(ConfigTest, OverridesReplaceAnyKeyAndTheLastWins) {
  const Config c = load(kGood, {{"model.num_hidden_layers", "3"},
                                {"wafer.rows", "2"},
                                {"model.num_hidden_layers", "5"},
                                {"optimizer.betas", "[0.8, 0.9]"},
                                {"optimizer.learning_rate", "0.5"}});
  EXPECT_EQ(c.model.layers, 5);
  EXPECT_EQ(c.wafer.rows, 2);
  EXPECT_EQ(c.optimizer.betas[0], 0.8);
  ASSERT_EQ(c.optimizer.learning_rate.size(), 1U);
  EXPECT_EQ(c.optimizer.learning_rate[0].learning_rate, 0.5);
}

TEST_F(ConfigTest, RulesBetweenKeysNameTheLine) {
  EXPECT_EQ(message(with("num_heads: 4", "num_heads: 5")),
            "configs/mine.yaml:8: model.num_heads: 5 does not divide hidden_size 64. HINT: use 4 or 8.");
  EXPECT_EQ(message(kGood, {{"model.num_heads", "5"}}),
            "command line: model.num_heads: 5 does not divide hidden_size 64. HINT: use 4 or 8.");
  EXPECT_EQ(message(with("micro_batch_size: 4", "micro_batch_size: 5")),
            "configs/mine.yaml:4: train_input.micro_batch_size: 5 does not divide batch_size 12. HINT: use 4 or 6.");
  EXPECT_EQ(message(kGood, {{"wafer.valves", "9"}}),
            "command line: wafer.valves: 9 valves for 4 rows. HINT: use 1 to 4.");
  EXPECT_EQ(message(with("betas: [0.9, 0.95]", "betas: [0.9]")),
            "configs/mine.yaml:12: optimizer.betas: 1 value, not 2. HINT: use [0.9, 0.999].");
  EXPECT_EQ(
      message(with("      total_iters: 5\n", "")),
      "configs/mine.yaml:13: optimizer.learning_rate: phase 1 (Linear) has no end. HINT: give it total_iters; only "
      "the last may go without, if it is one that never ends.");
}

TEST_F(ConfigTest, SeveralDataSetsHaveAWeightEach) {
  const std::string more = with("  data_dir: text/corpus.txt\n",
                                "  data_dir: text/corpus.txt\n  more_data_dirs: [b.bin, /c]\n  weights: [1, 2, 0.5]\n");
  const Config c = load(more);
  EXPECT_EQ(c.train_input.data_dirs(), (std::vector<std::string>{"configs/text/corpus.txt", "configs/b.bin", "/c"}));
  EXPECT_EQ(c.train_input.weights, (std::vector<double>{1, 2, 0.5}));
  EXPECT_EQ(message(more, {{"train_input.weights", "[1, 2]"}}),
            "command line: train_input.weights: has 2 weights, but there are 3 data sets. HINT: give one for data_dir "
            "and one for each of more_data_dirs.");
  EXPECT_EQ(
      message(more, {{"train_input.weights", "[1, 0, 2]"}}),
      "command line: train_input.weights: 0 is no share of the samples. HINT: use a number above 0, or leave that "
      "data set out.");
  EXPECT_EQ(message(more, {{"train_input.weights", "[1, -2, 2]"}}),
            "command line: train_input.weights: -2 is out of range. HINT: use 0 to 1073741824.");
  EXPECT_EQ(
      message(kGood, {{"train_input.weights", "[1, 2]"}}),
      "command line: train_input.weights: has 2 weights, but there is 1 data set. HINT: give one for data_dir and "
      "one for each of more_data_dirs.");
  EXPECT_EQ(message(kGood, {{"train_input.more_data_dirs", "[\"\"]"}}),
            "command line: train_input.more_data_dirs: has an empty name. HINT: name a text, a token shard or a "
            "folder.");
}

TEST_F(ConfigTest, TheSparsitySection) {
  EXPECT_EQ(load(kGood).sparsity.sparsity, 0);
  const std::string sparse = std::string(kGood) + "sparsity:\n  sparsity: 0.9\n";
  EXPECT_EQ(load(sparse).sparsity.params_filter, std::vector<std::string>{"h.*.weight"});
  EXPECT_EQ(load(sparse + "  params_filter: wte.weight\n").sparsity.params_filter,
            std::vector<std::string>{"wte.weight"});
  EXPECT_EQ(load(sparse + "  params_filter: [wte.weight, h.0.*]\n").sparsity.params_filter,
            (std::vector<std::string>{"wte.weight", "h.0.*"}));
  EXPECT_EQ(message(sparse + "  params_filter: []\n"),
            "configs/mine.yaml:22: sparsity.params_filter: is an empty list. HINT: name something, or leave the key "
            "out.");
  EXPECT_EQ(message(sparse + "  params_filter: [wte.weight, [x]]\n"),
            "configs/mine.yaml:22: sparsity.params_filter: a list where one value belongs. HINT: give it a text.");
  EXPECT_EQ(
      message(sparse + "  params_filter: h.0.mlp.c_fc.bias\n"),
      "configs/mine.yaml:22: sparsity.params_filter: \"h.0.mlp.c_fc.bias\" matches h.0.mlp.c_fc.bias, which is no "
      "matrix: only matrices can be sparse. HINT: did you mean h.0.mlp.c_fc.weight?");
  for (const std::string value : {"1", "1.5", "-0.1"}) {
    EXPECT_EQ(message(kGood, {{"sparsity.sparsity", value}}),
              "command line: sparsity.sparsity: " + value + " is out of range. HINT: use 0 or more and below 1.");
  }
  EXPECT_EQ(message(kGood, {{"sparsity.init_method", "topk"}}),
            "command line: sparsity.sparsity: missing. HINT: add it, e.g. 0.9; without the section nothing is sparse.");
  EXPECT_EQ(message(kGood, {{"sparsity.init_method", "checkpoint"}}), "no error");
  EXPECT_EQ(
      message(kGood, {{"sparsity.init_method", "checkpoint"}, {"sparsity.sparsity", "0.5"}}),
      "command line: sparsity.sparsity: the checkpoint's zeros say how many weights there are. HINT: leave it out, "
      "or choose another sparsity.init_method.");
}

TEST_F(ConfigTest, APathThatIsNoUtf8IsRefused) {
  const std::string hint = " is not valid UTF-8. HINT: rename it, or give a link to it whose whole path is UTF-8.";
  for (const std::string key :
       {"train_input.data_dir", "eval_input.data_dir", "runconfig.model_dir", "runconfig.checkpoint_path"}) {
    const auto said = [&](const std::string& path) { return message(kGood, {{key, path}}); };
    EXPECT_EQ(said("b\xff.txt"), "command line: " + key + ": b\\xff.txt" + hint);
    EXPECT_EQ(said("cut\xc3"), "command line: " + key + ": cut\\xc3" + hint);
    EXPECT_EQ(said("long\xc0\xaf"), "command line: " + key + ": long\\xc0\\xaf" + hint);
    EXPECT_EQ(said("half\xed\xa0\x80"), "command line: " + key + ": half\\xed\\xa0\\x80" + hint);
    EXPECT_EQ(message(kGood, {{key, "g\xc3\xb6\xf0\x9f\xa7\xb5.txt"}}), "no error");
  }
  EXPECT_EQ(message(with("text/corpus.txt", "text/b\xff.txt")),
            "configs/mine.yaml:2: the byte 0xff is no UTF-8. HINT: save the file as UTF-8.");
}

TEST_F(ConfigTest, APathWithANulIsRefused) {
  const std::string hint = " has a NUL character, which no path can have. HINT: remove it.";
  const std::string path("a\0b.txt", 7);
  for (const std::string key :
       {"train_input.data_dir", "eval_input.data_dir", "runconfig.model_dir", "runconfig.checkpoint_path"}) {
    EXPECT_EQ(message(kGood, {{key, path}}), "command line: " + key + ": a\\x00b.txt" + hint);
  }
  EXPECT_EQ(message(with("text/corpus.txt", "\"text/cor\\0pus.txt\"")),
            "configs/mine.yaml:2: train_input.data_dir: configs/text/cor\\x00pus.txt" + hint);
  EXPECT_EQ(message(std::string(kGood) + "runconfig:\n  model_dir: \"out\\0\"\n"),
            "configs/mine.yaml:21: runconfig.model_dir: out\\x00" + hint);
}

TEST_F(ConfigTest, AnUnknownKeyNamesTheNearest) {
  EXPECT_EQ(message(with("num_heads", "num_head")),
            "configs/mine.yaml:8: model.num_head: unknown key. HINT: did you mean model.num_heads?");
  EXPECT_EQ(message(with("optimizer:", "optimiser:")),
            "configs/mine.yaml:11: optimiser: unknown section. HINT: did you mean optimizer?");
  EXPECT_EQ(message(with("total_iters", "total_iter")),
            "configs/mine.yaml:17: optimizer.learning_rate.total_iter: unknown key. HINT: did you mean total_iters?");
  EXPECT_EQ(message(kGood, {{"wafer.row", "2"}}),
            "command line: wafer.row: unknown key. HINT: did you mean wafer.rows?");
  EXPECT_EQ(message(kGood, {{"rows", "2"}}), "command line: rows: unknown key. HINT: did you mean wafer.rows?");
  EXPECT_EQ(message(kGood, {{"waffer.row", "2"}}),
            "command line: waffer.row: unknown key. HINT: did you mean wafer.rows?");
  EXPECT_EQ(message(kGood, {{"model.lanes", "2"}}),
            "command line: model.lanes: unknown key. HINT: did you mean wafer.lanes?");
  EXPECT_EQ(message(kGood, {{"optimizer.lr", "2"}}),
            "command line: optimizer.lr: unknown key. HINT: keys of optimizer are optimizer_type, betas, eps, "
            "momentum, dampening, nesterov, weight_decay, no_decay_params, frozen_params, correct_bias, "
            "max_gradient_norm, learning_rate.");
  EXPECT_EQ(message(with("scheduler: Linear", "schedulr: Linear")),
            "configs/mine.yaml:14: optimizer.learning_rate.schedulr: unknown key. HINT: did you mean scheduler?");
  EXPECT_EQ(message(with("total_iters", "t")),
            "configs/mine.yaml:17: optimizer.learning_rate.t: unknown key. HINT: keys of a phase are scheduler, "
            "learning_rate, initial_learning_rate, end_learning_rate, total_iters, power, decay_rate, step_exponent, "
            "staircase, scale, warmup_steps, T_max, eta_min, gamma, step_size, milestones, learning_rates.");
  EXPECT_EQ(message("model.num_heads: 4\n" + std::string(kGood)),
            "configs/mine.yaml:1: model.num_heads: unknown section. HINT: write num_heads, indented, below model:.");
}

TEST_F(ConfigTest, ATagOfAnotherTypeIsRefused) {
  const auto refused = [](const std::string& key, const std::string& type) {
    return key + ": the tag !!" + type + " means nothing here. HINT: write the value without it.";
  };
  EXPECT_EQ(message(with("hidden_size: 64", "hidden_size: !!str 64")),
            "configs/mine.yaml:6: " + refused("model.hidden_size", "str"));
  EXPECT_EQ(message(with("hidden_size: 64", "hidden_size: !!float 64")),
            "configs/mine.yaml:6: " + refused("model.hidden_size", "float"));
  EXPECT_EQ(message(with("betas: [0.9, 0.95]", "betas: [0.9, !!str 0.95]")),
            "configs/mine.yaml:12: " + refused("optimizer.betas", "str"));
  EXPECT_EQ(message(kGood, {{"train_input.shuffle", "!!str true"}}),
            "command line: " + refused("train_input.shuffle", "str"));
  EXPECT_EQ(message(with("text/corpus.txt", "!!int 3")),
            "configs/mine.yaml:2: " + refused("train_input.data_dir", "int"));
  EXPECT_EQ(parse_config(with("hidden_size: 64", "hidden_size: !!int 64"), "x.yaml").model.hidden, 64);
  EXPECT_EQ(parse_config(with("text/corpus.txt", "!!str 3"), "x.yaml").train_input.data_dir, "3");
}

TEST_F(ConfigTest, AWrongTypeSaysWhatBelongsThere) {
  EXPECT_EQ(message(with("hidden_size: 64", "hidden_size: many")),
            "configs/mine.yaml:6: model.hidden_size: \"many\" is not an integer. HINT: use digits only, e.g. 4.");
  EXPECT_EQ(message(with("hidden_size: 64", "hidden_size: 6.5")),
            "configs/mine.yaml:6: model.hidden_size: \"6.5\" is not an integer. HINT: use digits only, e.g. 4.");
  EXPECT_EQ(message(with("hidden_size: 64", "hidden_size: [64]")),
            "configs/mine.yaml:6: model.hidden_size: a list where one value belongs. HINT: give it an integer.");
  EXPECT_EQ(message(with("hidden_size: 64", "hidden_size:")),
            "configs/mine.yaml:6: model.hidden_size: has no value. HINT: give it an integer.");
  EXPECT_EQ(message(kGood, {{"train_input.shuffle", "maybe"}}),
            "command line: train_input.shuffle: \"maybe\" is not a truth value. HINT: use true or false.");
  EXPECT_EQ(message(with("1e-4", "nan")),
            "configs/mine.yaml:15: optimizer.learning_rate.initial_learning_rate: nan is out of range. HINT: use 0 or "
            "more.");
}

/// The Model Zoo's files contain such nulls.
TEST_F(ConfigTest, NullIsNotSetWhereTheDefaultIsNothing) {
  Config plain = load(kGood), defaults;
  std::size_t nothing = 0;
  for (const auto& key : config_keys()) {
    const std::string name(key.name), section = std::string(section_of(name)) + ":\n";
    const std::string line = "  " + name.substr(section.size() - 1) + ": null\n";
    if (key.required || plain.places.contains(name)) continue;
    const std::string value = value_text(key.slot(defaults));
    const bool none = value == "\"\"" || value == "[]" || value == "0";
    const bool there = std::string(kGood).find(section) != std::string::npos;
    const std::string said = message(there ? with(section, section + line) : kGood + section + line);
    EXPECT_EQ(said == "no error", none) << name << ", by default " << value << ": " << said;
    nothing += none;
  }
  EXPECT_GT(nothing, 20u);

  const auto and_run = [](const std::string& line) { return kGood + ("runconfig:\n  " + line + "\n"); };
  const Config config = load(and_run("checkpoint_path: null\n  eval_steps: ~\nmetrics:\n  prometheus: null"));
  EXPECT_EQ(config.runconfig.checkpoint_path, "");
  EXPECT_EQ(config.metrics_prometheus, "");
  EXPECT_EQ(config.runconfig.eval_steps, plain.runconfig.eval_steps);
  EXPECT_FALSE(config.places.contains("runconfig.checkpoint_path"));
  EXPECT_EQ(load(and_run("top_k: 3"), {{"runconfig.top_k", "null"}}).runconfig.top_k, 0);  // the command line wins
  const std::string constant = "scheduler: Constant\n";
  EXPECT_EQ(load(with(constant, constant + "      total_iters: null\n")).optimizer.learning_rate[1].total_iters, 0);
  EXPECT_EQ(message(and_run("top_p: null")),
            "configs/mine.yaml:21: runconfig.top_p: has no value. HINT: give it a number.");
}

TEST_F(ConfigTest, AValueOutOfRangeSaysTheRange) {
  EXPECT_EQ(message(with("vocab_size: 96", "vocab_size: 100000000000")),
            "configs/mine.yaml:10: model.vocab_size: 100000000000 is out of range. HINT: use 2 to 327675.");
  EXPECT_EQ(message(with("vocab_size: 96", "vocab_size: 096")),
            "configs/mine.yaml:10: model.vocab_size: 096 is octal to some readers of YAML and decimal to others. HINT: "
            "write no 0 before it.");
  for (const std::string beyond : {"1e400", "1e-400"})
    EXPECT_EQ(message(kGood, {{"optimizer.learning_rate", beyond}}),
              "command line: optimizer.learning_rate: " + beyond +
                  " is beyond what a number of 64 bits holds. HINT: write it like 0.001 or 1e-3.");
  EXPECT_EQ(message(kGood, {{"wafer.lanes", "32"}}),
            "command line: wafer.lanes: 32 is out of range. HINT: use 2 to 16.");
  EXPECT_EQ(message(kGood, {{"wafer.lanes", "6"}}), "command line: wafer.lanes: 6 is not 2, 4, 8 or 16. HINT: use 4.");
  for (const std::string lanes : {"2", "4", "8", "16"})  // the RTL's lanes are fixed at build time
    EXPECT_EQ(message(kGood, {{"wafer.backend", "rtl"}, {"wafer.lanes", lanes}}),
              rtl_has(std::stoi(lanes))
                  ? "no error"
                  : fmt::format("command line: wafer.lanes: {0}, but this build simulates RTL of {1}. HINT: make build "
                                "LANES={0}, or use wafer.backend model.",
                                lanes, fmt::join(kRtlLanes, ", ")));
  EXPECT_EQ(message(kGood, {{"wafer.backend", "model"}, {"wafer.lanes", "8"}}), "no error");
  for (const std::string wrong : {"vpu", "vpu,rtl", "model,vpu"})
    EXPECT_EQ(message(kGood, {{"wafer.backend", wrong}}),
              "command line: wafer.backend: \"vpu\" is not known. HINT: use model, rtl or fpga.");
  EXPECT_EQ(message(kGood, {{"wafer.backend", "model,"}}),
            "command line: wafer.backend: \"\" is not known. HINT: use model, rtl or fpga.");
  EXPECT_EQ(message(kGood, {{"runconfig.mode", "test"}}),
            "command line: runconfig.mode: \"test\" is not known. HINT: use train, eval, train_and_eval, compile_only, "
            "validate_only or generate.");
}

TEST_F(ConfigTest, MissingAndBrokenFiles) {
  EXPECT_EQ(message(with("  num_heads: 4\n", "")),
            "configs/mine.yaml: model.num_heads: missing. HINT: add it: attention heads; divides hidden_size.");
  EXPECT_EQ(message(with("  num_heads: 4\n", "  hidden_size: 32\n")),
            "configs/mine.yaml:8: model.hidden_size: given twice, first at configs/mine.yaml:6. HINT: remove one.");
  EXPECT_EQ(message("model: [1, 2\nx: 3"),
            "configs/mine.yaml:2: not YAML: end of sequence flow not found. HINT: check indentation, quotes and "
            "brackets.");
  EXPECT_EQ(message("just words"),
            "configs/mine.yaml: is not a parameter file. HINT: start with a section, e.g. \"model:\".");
  try {
    load_config("configs/none.yaml");
    FAIL();
  } catch (const Refusal& e) {
    EXPECT_STREQ(e.what(),
                 "configs/none.yaml: cannot be read: No such file or directory. HINT: give --params a parameter file, "
                 "e.g. configs/gpt_tiny.yaml.");
  }
}

TEST(ConfigKeys, EveryDefaultIsWithinItsOwnRange) {
  Config config;
  for (const auto& key : config_keys()) {
    const Slot slot = key.slot(config);
    if (const auto* value = std::get_if<int*>(&slot)) {
      if (key.automatic && **value == 0) continue;
      EXPECT_GE(**value, key.min) << key.name;
      EXPECT_LE(**value, key.max) << key.name;
    }
  }
}

TEST(ConfigKeys, HelpHasEveryKey) {
  std::ostringstream out;
  print_keys(out);
  for (const auto& key : config_keys()) EXPECT_NE(out.str().find(key.name), std::string::npos) << key.name;
}

TEST_F(ConfigTest, AStepThatChangesWeightsEarlyCannotBeSkipped) {
  const std::string file = WEFT_CONFIGS "/gpt_tiny.yaml";
  EXPECT_TRUE(load_config(file, {{"memoryx.early", "true"}}).memoryx_early);
  try {
    load_config(file, {{"memoryx.early", "true"}, {"runconfig.on_divergence", "skip"}});
    FAIL();
  } catch (const Refusal& e) {
    EXPECT_NE(std::string(e.what()).find("memoryx.early: a step that has changed weights cannot be skipped"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace weft
