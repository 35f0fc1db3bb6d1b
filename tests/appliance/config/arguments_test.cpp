#include "host/appliance/config/arguments.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace weft {

bool operator==(const Override& a, const Override& b) { return a.key == b.key && a.value == b.value; }

namespace {

std::string message(const std::vector<std::string>& words) {
  try {
    parse_arguments(words);
  } catch (const Refusal& e) {
    return e.what();
  }
  return "no error";
}

TEST(Arguments, FlagsAreOverridesOfTheirKeys) {
  const Arguments a = parse_arguments({"run", "--params", "p.yaml", "--num_csx=4", "--model_dir", "out", "--num_steps",
                                       "10", "--mode", "train", "--backend", "rtl"});
  EXPECT_EQ(a.command, "run");
  EXPECT_EQ(a.params, "p.yaml");
  EXPECT_EQ(a.overrides, (std::vector<Override>{{"runconfig.num_csx", "4"},
                                                {"runconfig.model_dir", "out"},
                                                {"runconfig.num_steps", "10"},
                                                {"runconfig.mode", "train"},
                                                {"wafer.backend", "rtl"}}));
}

TEST(Arguments, OneSeedIsOfAllThatARunDraws) {
  const Arguments a = parse_arguments({"run", "--params", "p.yaml", "--seed", "7", "--train_input.seed", "8"});
  EXPECT_EQ(a.overrides,
            (std::vector<Override>{{"runconfig.seed", "7"}, {"train_input.seed", "7"}, {"train_input.seed", "8"}}));
}

TEST(Arguments, DottedNamesOverrideKeysInBothSpellings) {
  const Arguments a = parse_arguments({"run", "--params=p.yaml", "--model.num_hidden_layers", "3", "--wafer.rows=2"});
  EXPECT_EQ(a.overrides, (std::vector<Override>{{"model.num_hidden_layers", "3"}, {"wafer.rows", "2"}}));
}

TEST(Arguments, MistakesSayWhatToDo) {
  EXPECT_EQ(message({"train"}),
            "command line: train: unknown command. HINT: use weft run --mode train, or see weft --help.");
  EXPECT_EQ(message({"wave"}), "command line: wave: unknown command. HINT: use weft waves, or see weft --help.");
  EXPECT_EQ(message({"xyz"}), "command line: xyz: unknown command. HINT: use weft run, or see weft --help.");
  EXPECT_EQ(message({"run", "--num_cs", "4"}), "command line: --num_cs: unknown flag. HINT: did you mean --num_csx?");
  EXPECT_EQ(message({"run", "4"}), "command line: 4: belongs to no flag. HINT: see weft run --help.");
  EXPECT_EQ(message({"run", "mine.yaml"}),
            "command line: mine.yaml: belongs to no flag. HINT: write --params mine.yaml.");
  for (const std::string word : {"num_csx=4", "-num_csx=4"}) {
    EXPECT_EQ(message({"run", word}), "command line: " + word + ": belongs to no flag. HINT: write --num_csx=4.");
  }
  EXPECT_EQ(message({"run", "--sed", "4"}), "command line: --sed: unknown flag. HINT: did you mean --seed?");
  EXPECT_EQ(message({"run", "--num_csx", "--params", "p"}),
            "command line: --num_csx: has no value. HINT: write --num_csx VALUE.");
  EXPECT_EQ(message({"run", "--num_csx", "4"}),
            "command line: --params: missing. HINT: name a parameter file, e.g. --params configs/gpt_tiny.yaml.");
}

TEST(Arguments, HelpNeedsNoParameterFile) {
  EXPECT_TRUE(parse_arguments({}).help);
  EXPECT_TRUE(parse_arguments({"--help"}).help);
  EXPECT_TRUE(parse_arguments({"run", "--help"}).help);
  std::ostringstream help;
  print_command_help("run", help);
  EXPECT_NE(help.str().find("--num_csx"), std::string::npos);
  EXPECT_NE(help.str().find("model.num_heads"), std::string::npos);
}

TEST(Arguments, OfCommandsThatLookAtPrograms) {
  const Arguments check = parse_arguments({"check", "--params", "p", "--check.out", "o", "--wafer.rows=3"});
  EXPECT_EQ(check.command, "check");
  EXPECT_EQ(check.options.at("check.out"), "o");
  EXPECT_EQ(check.overrides.size(), 1u) << "a dot alone makes no key of a command's own flag";
  const Arguments debug = parse_arguments({"debug", "a.weftcore", "--tile", "1,2"});
  EXPECT_EQ(debug.options.at("core"), "a.weftcore");
  EXPECT_EQ(debug.options.at("tile"), "1,2");
  EXPECT_EQ(message({"check"}),
            "command line: --params: missing. HINT: name a parameter file, e.g. --params configs/gpt_tiny.yaml.");
}

TEST(Arguments, WhatLooksAtTheSameTrainingNeedsNotAll) {
  const auto text = [](std::vector<std::string> more) {
    std::vector<std::string> words = {"run", "--params", "my file.yaml", "--num_csx", "4"};
    words.insert(words.end(), more.begin(), more.end());
    return options_to_look(parse_arguments(words));
  };
  EXPECT_EQ(text({"--mode", "train", "--backend", "rtl", "--model_dir", "out/it's"}),
            R"(--params 'my file.yaml' --runconfig.model_dir 'out/it'\''s')");
  EXPECT_EQ(text({"--optimizer.betas", "[0.9, 0.99]"}), "--params 'my file.yaml' --optimizer.betas '[0.9, 0.99]'");
  EXPECT_EQ(text({"--mode", "eval"}), "");
}

}  // namespace
}  // namespace weft
