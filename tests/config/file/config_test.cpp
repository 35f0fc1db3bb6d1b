#include "host/config/config.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "host/config/file/load.hpp"
#include "host/config/keys/keys.hpp"
#include "tests/config/file/config_fixture.hpp"

namespace weft::config {
namespace {

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
  EXPECT_EQ(c.wafer.rows, machine::WaferShape{}.rows);
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
  EXPECT_EQ(message(with("      total_iters: 5\n", "")),
            "configs/mine.yaml:13: optimizer.learning_rate: phase 1 (Linear) has no end. HINT: give it total_iters; "
            "only the last phase may omit it, if its schedule never ends.");
}

/// Both halves of each hint give a configuration that is accepted.
TEST_F(ConfigTest, GroupsOfRowsDivideWhatTheyShare) {
  const auto groups = [](int number, std::vector<Override> more = {}) {
    more.push_back({"wafer.row_groups", std::to_string(number)});
    return more;
  };
  const std::vector<Override> four_valves = {{"wafer.valves", "4"}};
  EXPECT_EQ(load(kGood, groups(4, four_valves)).groups(), 4);
  EXPECT_EQ(message(kGood, groups(3, four_valves)),
            "command line: wafer.row_groups: 3 does not divide wafer.rows 4. HINT: use 2 or 4, or make wafer.rows a "
            "multiple of 3.");
  EXPECT_EQ(message(kGood, groups(2, {{"wafer.valves", "1"}})),
            "command line: wafer.row_groups: 2 does not divide wafer.valves 1. HINT: use 1, or make wafer.valves a "
            "multiple of 2.");
  EXPECT_EQ(load(kGood, groups(2, {{"wafer.valves", "2"}})).groups(), 2);
  EXPECT_EQ(message(kGood, groups(4, {{"wafer.valves", "4"}, {"train_input.micro_batch_size", "6"}})),
            "command line: wafer.row_groups: 4 does not divide train_input.micro_batch_size 6. HINT: use 2, or make "
            "train_input.micro_batch_size a multiple of 4.");
  EXPECT_EQ(message(kGood, groups(4, {{"wafer.valves", "auto"},
                                      {"train_input.micro_batch_size", "auto"},
                                      {"train_input.batch_size", "6"}})),
            "command line: wafer.row_groups: 4 does not divide train_input.batch_size 6. HINT: use 2, or make "
            "train_input.batch_size a multiple of 4.");
  EXPECT_EQ(message(kGood, groups(2, {{"wafer.valves", "2"}, {"wafer.backend", "fpga"}})),
            "command line: wafer.row_groups: 2, but a board has one group. HINT: use 1.");
  EXPECT_EQ(message(kGood, {{"wafer.row_groups", "auto"}, {"wafer.valves", "2"}}),
            "command line: wafer.row_groups: auto, but wafer.valves is 2. HINT: use wafer.valves auto, or a number of "
            "groups.");
  const Config automatic = load(kGood, {{"wafer.row_groups", "auto"}, {"wafer.valves", "auto"}});
  EXPECT_EQ(automatic.row_groups, 0);
  EXPECT_EQ(automatic.groups(), 1) << "until it is chosen";
}

/// The compiler sees a wafer of a group's rows and valves, and a group's part of a micro-batch.
TEST_F(ConfigTest, AGroupOfRowsIsAWaferOfItsOwn) {
  const Config c = load(kGood, {{"wafer.row_groups", "2"}, {"wafer.valves", "4"}});
  EXPECT_EQ(c.group_wafer().rows, 2);
  EXPECT_EQ(c.group_wafer().valves, 2);
  EXPECT_EQ(c.group_wafer().all_rows(), c.wafer.rows);
  EXPECT_EQ(c.group_model().micro_batch, 2);
  const Config one = c.one_group();
  EXPECT_EQ(one.groups(), 1);
  EXPECT_EQ(one.group_wafer().all_rows(), 2);
  EXPECT_EQ(one.train_input.batch_size, c.train_input.batch_size) << "more micro-batches of the same batch";
  EXPECT_EQ(one.micro_batches(), 2 * c.micro_batches());
  Config generate = c;
  generate.runconfig.mode = "generate";
  EXPECT_EQ(generate.groups(), 1);
  EXPECT_EQ(generate.group_wafer().rows, 4);
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
  EXPECT_EQ(message(more, {{"train_input.weights", "[1, 0, 2]"}}),
            "command line: train_input.weights: 0 is not a share of the samples. HINT: use a number above 0, or leave "
            "that data set out.");
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
      "configs/mine.yaml:22: sparsity.params_filter: \"h.0.mlp.c_fc.bias\" matches h.0.mlp.c_fc.bias, which is not a "
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
      "command line: sparsity.sparsity: the checkpoint's zeros determine the number of weights. HINT: leave it out, "
      "or choose another sparsity.init_method.");
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
  EXPECT_TRUE(load_config(file, {{"memoryx.eager_update", "true"}}).memoryx_eager_update);
  EXPECT_TRUE(load_config(file, {{"memoryx.early", "true"}}).memoryx_eager_update);  // the former name
  try {
    load_config(file, {{"memoryx.eager_update", "true"}, {"runconfig.on_divergence", "skip"}});
    FAIL();
  } catch (const Refusal& e) {
    EXPECT_NE(
        std::string(e.what()).find("memoryx.eager_update: a step that has changed weights can no longer be skipped"),
        std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace weft::config
