#include "host/config/command_line/arguments.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "host/config/command_line/commands.hpp"

namespace weft::config {

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
                                       "10", "--mode", "train", "--backend", "rtl", "--min_csx", "2"});
  EXPECT_EQ(a.command, "run");
  EXPECT_EQ(a.params, "p.yaml");
  EXPECT_EQ(a.overrides, (std::vector<Override>{{"runconfig.num_csx", "4"},
                                                {"runconfig.model_dir", "out"},
                                                {"runconfig.num_steps", "10"},
                                                {"runconfig.mode", "train"},
                                                {"wafer.backend", "rtl"},
                                                {"swarmx.min_csx", "2"}}));
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

TEST(Arguments, ErrorsSayWhatToDo) {
  EXPECT_EQ(message({"eval"}),
            "command line: eval: unknown command. HINT: use weft run --mode eval, or see weft --help.");
  EXPECT_EQ(message({"wave"}), "command line: wave: unknown command. HINT: use weft waves, or see weft --help.");
  EXPECT_EQ(message({"xyz"}), "command line: xyz: unknown command. HINT: use weft run, or see weft --help.");
  EXPECT_EQ(message({"run", "--num_cs", "4"}), "command line: --num_cs: unknown flag. HINT: did you mean --num_csx?");
  EXPECT_EQ(message({"run", "4"}), "command line: 4: belongs to no flag. HINT: see weft run --help.");
  EXPECT_EQ(message({"run", "mine.yaml"}),
            "command line: mine.yaml: belongs to no flag. HINT: write --params mine.yaml.");
  for (const std::string word : {"num_csx=4", "-num_csx=4"}) {
    EXPECT_EQ(message({"run", word}), "command line: " + word + ": belongs to no flag. HINT: write --num_csx=4.");
  }
  EXPECT_EQ(message({"run", "--eval_steps", "4"}),
            "command line: --eval_steps: unknown flag. HINT: write --runconfig.eval_steps.");
  EXPECT_EQ(message({"run", "--data_dir=x"}),
            "command line: --data_dir: unknown flag. HINT: write --train_input.data_dir or --eval_input.data_dir.");
  EXPECT_EQ(message({"run", "--sed", "4"}), "command line: --sed: unknown flag. HINT: did you mean --seed?");
  EXPECT_EQ(message({"run", "--num_csx", "--params", "p"}),
            "command line: --num_csx: has no value. HINT: write --num_csx VALUE.");
  EXPECT_EQ(message({"run", "--num_csx", "4"}),
            "command line: --params: missing. HINT: name a parameter file, e.g. --params configs/gpt_tiny.yaml.");
}

TEST(Arguments, TheNextFlagIsNoValue) {
  for (const std::string next : {"--mode", "-m"}) {
    EXPECT_EQ(message({"run", "--num_steps", next, "train", "--params", "p"}),
              "command line: --num_steps: has no value. HINT: write --num_steps VALUE.");
  }
  EXPECT_EQ(message({"run", "--params", "p", "--model.num_heads"}),
            "command line: --model.num_heads: has no value. HINT: write --model.num_heads VALUE.");
  for (const std::string word : {"--json=", "--json=x", "--compile_only=x"}) {
    const std::string flag = word.substr(0, word.find('='));
    EXPECT_EQ(message({"run", word}), "command line: " + flag + ": has a value. HINT: write " + flag + ".");
  }
}

TEST(Arguments, LastFlagCountsAndAllKeysKeepTheirOrder) {
  const Arguments a = parse_arguments({"run", "-p", "a", "--prompt", "one", "--seed", "1", "-p", "b", "--prompt=", "-o",
                                       "d", "--quiet", "--quiet", "--wafer.rows", "-1", "--train_input.seed=2"});
  EXPECT_EQ(a.params, "b");
  EXPECT_EQ(a.overrides, (std::vector<Override>{{"runconfig.prompt", "one"},
                                                {"runconfig.seed", "1"},
                                                {"train_input.seed", "1"},
                                                {"runconfig.prompt", ""},
                                                {"runconfig.model_dir", "d"},
                                                {"wafer.rows", "-1"},
                                                {"train_input.seed", "2"}}));
  EXPECT_EQ(a.options, (Options{{"quiet", ""}}));
  EXPECT_EQ(parse_arguments({"status", "one", "--model_dir", "two"}).options.at("model_dir"), "two");
}

TEST(Arguments, UnknownWordsAreShownAsTyped) {
  EXPECT_EQ(message({"run", "--params", "p", "--"}), "command line: --: unknown flag. HINT: see weft run --help.");
  EXPECT_EQ(message({"run", "--nun_csx=4"}), "command line: --nun_csx: unknown flag. HINT: did you mean --num_csx?");
  EXPECT_EQ(message({"run", "--nun_heads=4"}),
            "command line: --nun_heads: unknown flag. HINT: did you mean --model.num_heads?");
  EXPECT_EQ(message({"run", "--model.num-heads", "4"}),
            "command line: model.num-heads: unknown key. HINT: did you mean model.num_heads?");
  EXPECT_EQ(message({"run", ""}), "command line: '': belongs to no flag. HINT: see weft run --help.");
  EXPECT_EQ(message({""}), "command line: '': unknown command. HINT: use weft run, or see weft --help.");
  EXPECT_EQ(message({"bisect", "---x"}), "command line: ---x: unknown flag. HINT: see weft bisect --help.");
  EXPECT_EQ(message({"wavs", "--help"}),
            "command line: wavs: unknown command. HINT: use weft waves, or see weft --help.");
}

TEST(Arguments, HelpIsGivenWhereverItIsAskedFor) {
  for (const std::string help : {"--help", "-h"}) {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"run", help, "--nun_csx"},
                                                                                       {"run", "--nun_csx", "4", help},
                                                                                       {"run", "--num_csx", help},
                                                                                       {"run", "x", help}}) {
      EXPECT_TRUE(parse_arguments(words).help) << testing::PrintToString(words);
      EXPECT_EQ(parse_arguments(words).command, "run");
    }
  }
  EXPECT_FALSE(parse_arguments({"run", "-p", "p", "--prompt=--help"}).help);
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

TEST(Arguments, HelpListsCommandsByUse) {
  std::ostringstream help;
  print_help(help);
  std::istringstream lines(help.str());
  std::string use;
  std::map<std::string, std::string> uses;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 120U) << line;
    if (!line.empty() && line[0] != ' ') use = line;
    if (line.starts_with("  ") && line.size() > 2 && line[2] != ' ') uses[line.substr(2, line.find(' ', 2) - 2)] = use;
  }
  for (const CommandInfo& command : commands()) EXPECT_TRUE(uses.contains(std::string(command.name))) << command.name;
  EXPECT_EQ(uses["run"], "Train");
  EXPECT_EQ(uses["waves"], "Inspect a run");
  EXPECT_EQ(uses["tokenize"], "Prepare data and models");
}

TEST(Arguments, OnlyTheHelpOfRunListsKeys) {
  for (const CommandInfo& command : commands()) {
    std::ostringstream help;
    print_command_help(std::string(command.name), help);
    const bool run = command.name == "run";
    EXPECT_EQ(help.str().find("optimizer.weight_decay") != std::string::npos, run) << help.str();
    EXPECT_EQ(help.str().find("--max_steps") != std::string::npos, run) << help.str();
    EXPECT_EQ(help.str().find("--params") != std::string::npos, command.keys && !command.writes_config) << help.str();
    std::istringstream lines(help.str());
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120U) << line;
  }
}

TEST(Arguments, HelpHasAnExampleThatIsAccepted) {
  for (const CommandInfo& command : commands()) {
    std::ostringstream help;
    print_command_help(std::string(command.name), help);
    EXPECT_NE(help.str().find(fmt::format("\n  Example: {}\n\n", command.example)), std::string::npos) << command.name;
    const std::size_t begin = command.example.find("weft ");
    ASSERT_NE(begin, std::string_view::npos) << command.name;
    std::istringstream text(
        std::string(command.example.substr(begin + 5, command.example.find_first_of("|)") - begin - 5)));
    std::vector<std::string> words;
    for (std::string word; text >> word;) words.push_back(word);
    EXPECT_EQ(message(words), "no error") << command.example;
    EXPECT_EQ(words.at(0), command.name);
  }
}

TEST(Arguments, HelpMarksParamsAsRequiredWhereTheyAre) {
  const auto help_of = [](const char* command) {
    std::ostringstream help;
    print_command_help(command, help);
    return help.str();
  };
  const std::string required = "parameter file, e.g. configs/gpt_tiny.yaml (required); or -p";
  for (const CommandInfo& command : commands())
    EXPECT_EQ(help_of(std::string(command.name).c_str()).find(required) != std::string::npos,
              command.keys && command.config)
        << command.name;
  EXPECT_NE(help_of("bisect").find("parameter file, e.g. configs/gpt_tiny.yaml; or -p"), std::string::npos);
}

TEST(Arguments, HelpOfTrainListsTheNumberOfSteps) {
  std::ostringstream help;
  print_command_help("train", help);
  EXPECT_NE(help.str().find("  --num_steps       N      total number of training steps; default 1000\n"),
            std::string::npos)
      << help.str();
  EXPECT_EQ(parse_arguments({"train", "my.txt", "--num_steps", "60"}).overrides.at(0).key, "runconfig.num_steps");
}

TEST(Arguments, InspectCommandsAreParsed) {
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

TEST(Arguments, InspectionOptionsOmitIrrelevantOnes) {
  const auto text = [](std::vector<std::string> more) {
    std::vector<std::string> words = {"run", "--params", "my file.yaml", "--num_csx", "4"};
    words.insert(words.end(), more.begin(), more.end());
    return options_to_inspect(parse_arguments(words));
  };
  EXPECT_EQ(text({"--mode", "train", "--backend", "rtl", "--model_dir", "out/it's"}),
            R"(--params 'my file.yaml' --runconfig.model_dir 'out/it'\''s')");
  EXPECT_EQ(text({"--optimizer.betas", "[0.9, 0.99]"}), "--params 'my file.yaml' --optimizer.betas '[0.9, 0.99]'");
  EXPECT_EQ(text({"--mode", "eval"}), "");
}

}  // namespace
}  // namespace weft::config
