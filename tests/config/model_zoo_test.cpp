/// Names that parameter files and commands of the Model Zoo have.
#include "host/config/model_zoo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "host/config/arguments.hpp"
#include "host/config/flags.hpp"
#include "host/config/keys.hpp"
#include "tests/small_run.hpp"

namespace weft {

bool operator==(const Override& a, const Override& b);  // arguments_test.cpp

namespace {

Config parsed(const std::string& more, const std::vector<Override>& overrides = {}) {
  return parse_config(kSmallParams + more, "mine.yaml", overrides);
}

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
  EXPECT_EQ(refused([] { parsed("runconfig:\n  checkpoint_steps: 7\n  save_checkpoints_steps: 8\n"); }),
            "mine.yaml:14: runconfig.save_checkpoints_steps: means runconfig.checkpoint_steps, which mine.yaml:13 "
            "gives. HINT: remove one.");
}

TEST(ModelZoo, WhatIsLackingIsNamedWithTheNearest) {
  EXPECT_EQ(refused([] { parsed("runconfig:\n  multireplica: true\n"); }),
            "mine.yaml:13: runconfig.multireplica: only the Model Zoo has it, where it trains on several wafers. HINT: "
            "set runconfig.num_csx.");
  EXPECT_EQ(refused([] { parsed("csconfig:\n  x: 1\n"); }),
            "mine.yaml:12: csconfig: only the Model Zoo has it, where it configures a wafer's system. HINT: what there "
            "is of it is in wafer, swarmx and memoryx.");
  EXPECT_EQ(refused([] {
              parsed("", {{"model.dropout_rate", "0.1"}});
            }),
            "command line: model.dropout_rate: only the Model Zoo has it, where it leaves activations out at random. "
            "HINT: leave it out: nothing is dropped, as a tile has no random numbers; optimizer.weight_decay is what "
            "holds weights back.");
  EXPECT_EQ(refused([] {
              parse_arguments({"run", "--params", "p", "--mount_dirs", "d"});
            }),
            "command line: --mount_dirs: only the Model Zoo has it, where it makes folders known inside the cluster. "
            "HINT: leave it out: each rank runs in the folder in which you are.");
}

TEST(ModelZoo, WhatIsLackingInOnePlaceIsKnownInTheOther) {
  EXPECT_EQ(
      refused([] { parsed("eval_input:\n  data_processor: GptHDF5DataProcessor\n"); }),
      "mine.yaml:13: eval_input.data_processor: only the Model Zoo has it, where it names the class that reads the "
      "data. HINT: leave it out: train_input.data_dir says itself what it is, and train_input.tokenizer what of a "
      "text.");
  EXPECT_EQ(refused([] { parsed("runconfig:\n  num_wgt_servers: 2\n"); }),
            "mine.yaml:13: runconfig.num_wgt_servers: only the Model Zoo has it, where it spreads weights over so many "
            "machines. HINT: leave it out: MemoryX is the root, or ranks of its own (memoryx.ranks, docs/swarm.md).");
  for (const Lacking& lacking : lacking_flags())
    EXPECT_NE(find_lacking_key("runconfig." + std::string(lacking.name)), nullptr) << lacking.name;
  EXPECT_EQ(find_lacking_key("runconfig.what"), nullptr);
  EXPECT_EQ(find_lacking_key("eval_input.what"), nullptr);
}

TEST(ModelZoo, AFileIsToldAllThatIsWrongWithItAtOnce) {
  const std::string all = refused([] {
    parsed(
        "eval_input:\n  data_dir: a\n  num_workers: 8\ncsconfig:\n  x: 1\nrunconfig:\n  max_steps: many\n"
        "  max_stepz: 4\n  max_steps: 5\nsparsity:\n  sparsity: 2\n");
  });
  EXPECT_EQ(std::ranges::count(all, '\n'), 3) << all;
  for (const char* start : {"mine.yaml:14: eval_input.num_workers: only", "\nmine.yaml:15: csconfig: only",
                            "\nmine.yaml:20: runconfig.max_steps: given twice, first at mine.yaml:18",
                            "\nmine.yaml:22: sparsity.sparsity: 2 is out of range"})
    EXPECT_NE(all.find(start), std::string::npos) << start << all;
  std::string many = "runconfig:\n";
  for (int i = 0; i < 1000; ++i) many += "  unknown" + std::to_string(i) + ": 1\n";
  const std::string first = refused([&] { parsed(many); });
  EXPECT_EQ(std::ranges::count(first, '\n'), 99) << "a hundred of them are enough";
  EXPECT_NE(first.find("runconfig.unknown99: "), std::string::npos);
}

/// A hint that names what is not there helps nobody.
TEST(ModelZoo, TheNearestIsThere) {
  const auto check = [](const Lacking& lacking) {
    const std::string text(lacking.nearest);
    const std::regex key(
        R"((?:--)?\b((?:train_input|eval_input|model|optimizer|sparsity|runconfig|wafer|fpga|swarmx|memoryx)\.[a-z_]+))");
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
            "command line: --cs_ip: is a board's address, and --backend rtl simulates wafers. HINT: leave one of them "
            "out.");
  const std::string none =
      "command line: --cs_ip: has no address. HINT: name a board's, ADDRESS or ADDRESS:PORT; without the flag wafers "
      "are simulated here.";
  EXPECT_EQ(refused([] { parse_arguments({"run", "-p", "p", "--cs_ip", "--max_steps", "2"}); }), none);
  EXPECT_EQ(refused([&] { devices("", "fpga"); }), none);
  EXPECT_EQ(refused([&] { devices("10.0.0.5,", "fpga"); }), none);
}

}  // namespace
}  // namespace weft
