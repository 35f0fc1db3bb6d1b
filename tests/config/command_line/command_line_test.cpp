/// Any typed words survive a round trip through the command line.
#include "host/config/command_line/command_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "host/config/keys/keys.hpp"

namespace weft::config {
namespace {

using Words = std::vector<std::string>;

/// Values that shells, some version of CLI11, YAML or a flag parser may interpret.
const Words kOdd = {"4",
                    "-0.5",
                    "-.5",
                    "-1e-5",
                    "-inf",
                    "-",
                    "-x",
                    "-mode",
                    "-pfile",
                    "-p=x",
                    "",
                    " ",
                    "a b",
                    "[1,2]",
                    "[0.9, 0.99]",
                    "[[1,2],[3]]",
                    "[[aabb]]",
                    "[]",
                    "{}",
                    "{a}",
                    "%%",
                    "\"q\"",
                    "'q'",
                    "it's",
                    "`x`",
                    "a=b",
                    "=",
                    "==",
                    "=x",
                    "=--json",
                    "a,b",
                    ",",
                    "++",
                    "run",
                    "bisect",
                    "run.params",
                    "true",
                    "false",
                    "null",
                    "@file",
                    "/x:y",
                    "a:b",
                    "x.yaml",
                    "\n",
                    "a\tb",
                    "\x01",
                    "\xff\xfe",
                    "\u00fc",
                    "\\n",
                    "B\"(\\x41)\"",
                    std::string(5000, 'x')};

std::string text(const Given& given) {
  return given.name +
         (given.own != nullptr      ? " own "
          : given.of_key != nullptr ? " of_key "
                                    : " key ") +
         (given.value ? "[" + *given.value + "]" : "none");
}

Words texts(const CommandLine& line) {
  Words all;
  for (const Given& given : line.given) all.push_back(text(given));
  return all;
}

TEST(CommandLine, AnOldNameOfACommandIsAccepted) {
  EXPECT_EQ(read_command_line({"trail", "--level", "state"}).command, find_command("fingerprint"));
  EXPECT_EQ(texts(read_command_line({"trail", "--level", "state"})), Words{"level own [state]"});
  EXPECT_EQ(find_command(""), nullptr);
}

TEST(CommandLine, EveryCommandHasAllOfItsTables) {
  for (const CommandInfo& command : commands()) {
    Words words = {std::string(command.name)}, expected;
    const auto expect = [&](std::string_view name, bool value, const char* what) {
      words.push_back("--" + std::string(name));
      if (value) words.push_back("v");
      expected.push_back(std::string(name) + what + (value ? "[v]" : "none"));
    };
    for (const CommandFlag& flag : command.flags) expect(flag.name, !flag.value.empty(), " own ");
    if (command.keys) {
      for (const Flag& flag : key_flags()) expect(flag.name, !flag.value.empty(), " of_key ");
      for (const Key<Config>& key : config_keys()) expect(key.name, true, " key ");
    }
    const CommandLine line = read_command_line(words);
    EXPECT_EQ(line.command, &command);
    EXPECT_EQ(texts(line), expected);
    EXPECT_EQ(line.rest, Words());
    EXPECT_TRUE(read_command_line({std::string(command.name), "-h"}).help);
  }
}

TEST(CommandLine, AValueIsWhatWasTyped) {
  for (const std::string& odd : kOdd) {
    for (const char* flag : {"params", "check.out", "model.num_heads"}) {
      const std::string name = std::string("--") + flag;
      for (const Words& spelled : {Words{"check", name, odd}, Words{"check", name + "=" + odd}}) {
        const CommandLine line = read_command_line(spelled);
        ASSERT_EQ(line.given.size(), 1u) << odd;
        EXPECT_EQ(line.given[0].value, odd);
        EXPECT_EQ(line.rest, Words());
      }
    }
  }
  for (const std::string hyphens : {"--odd", "--", "--mode", "--help", "-p", "-h"})
    EXPECT_EQ(read_command_line({"run", "--prompt=" + hyphens}).given.at(0).value, hyphens);
}

TEST(CommandLine, FlagsMayHaveHyphens) {
  EXPECT_EQ(
      texts(read_command_line({"run", "--show-config", "--num-csx", "a-b", "--model-dir=c-d", "--prompt", "e-f"})),
      (Words{"show_config own none", "num_csx of_key [a-b]", "model_dir of_key [c-d]", "prompt of_key [e-f]"}));
  EXPECT_EQ(read_command_line({"run", "--num-steeps"}).rest, (Words{"--num-steeps"}));
}

TEST(CommandLine, AFlagIsNoValue) {
  for (const char* next : {"--mode", "-m", "--json", "--help", "-h", "--unknown", "--un.known", "--", "--=x"}) {
    const CommandLine line = read_command_line({"run", "--num_steps", next});
    ASSERT_FALSE(line.given.empty()) << next;
    EXPECT_EQ(text(line.given[0]), "num_steps of_key none") << next;
  }
  EXPECT_EQ(text(read_command_line({"run", "--num_steps"}).given.at(0)), "num_steps of_key none");
  EXPECT_EQ(text(read_command_line({"run", "--json=x"}).given.at(0)), "json own [x]");
  EXPECT_EQ(text(read_command_line({"run", "--json="}).given.at(0)), "json own []");
}

TEST(CommandLine, WordsBelongToFlagsInTurnWhateverTheyAre) {
  for (const std::string& odd : kOdd) {
    const CommandLine line = read_command_line({"bisect", odd, "--num_steps", "3", odd, odd});
    EXPECT_EQ(texts(line), (Words{"a own [" + odd + "]", "num_steps of_key [3]", "b own [" + odd + "]"}));
    EXPECT_EQ(line.rest, Words{odd}) << "a third belongs to none";
    EXPECT_EQ(read_command_line({"run", odd}).rest, Words{odd});
  }
}

TEST(CommandLine, UnknownWordIsLeftAsTyped) {
  const Words unknown = {"--nun_csx", "--nun_csx=", "--nun_csx=a=b", "--",  "--=",     "--=x",
                         "---x",      "--a b",      "--a:b=c",       "--!", "--a.b:c", "--version"};
  for (const std::string& word : unknown) {
    EXPECT_EQ(read_command_line({"run", word}).rest, Words{word});
    EXPECT_EQ(read_command_line({"bisect", word}).rest, Words{word}) << "is no side";
  }
  EXPECT_EQ(read_command_line({"run", "--", "--num_steps", "3"}).given.size(), 1u) << "-- ends nothing";
  EXPECT_EQ(text(read_command_line({"bisect", "--old.key=3"}).given.at(0)), "old.key key [3]");
  EXPECT_EQ(read_command_line({"tokenize", "--old.key=3"}).rest, Words{"--old.key=3"}) << "takes no keys";
  EXPECT_EQ(read_command_line({"manual", "-p"}).rest, Words{"-p"}) << "nor letters";
}

TEST(CommandLine, UnknownCommandEndsParsing) {
  for (const char* word : {"", "foo", "--foo", "++", "--", "-", "=run", "RUN", "run.x", "--run.params=x"}) {
    const CommandLine line = read_command_line({word, "run", "--version", "--help"});
    EXPECT_EQ(line.command, nullptr) << word;
    EXPECT_FALSE(line.version || line.help) << word;
  }
  EXPECT_TRUE(read_command_line({"--version", "run"}).version);
  EXPECT_TRUE(read_command_line({"-h", "run"}).help);
  EXPECT_EQ(read_command_line({}).command, nullptr);
}

/// Flags with and without values, in any order and spelling, often repeated.
TEST(CommandLine, SurvivesARoundTripWhateverItIs) {
  const unsigned seed = std::random_device()();
  std::mt19937 random(seed);
  const auto one_of = [&](const auto& all) { return *(all.begin() + random() % all.size()); };
  for (int n = 0; n < 300; ++n) {
    const CommandInfo& command = one_of(commands());
    Words words = {std::string(command.name)}, expected, loose;
    for (const std::string_view word : command.words) loose.emplace_back(word);
    for (std::size_t length = random() % 12; length > 0; --length) {
      const std::string value = one_of(kOdd);
      const auto add = [&](std::string_view name, bool valued, char letter, const char* what) {
        const std::string flag = letter != 0 && random() % 2 ? std::string{'-', letter} : "--" + std::string(name);
        const bool joined = valued && flag.starts_with("--") && random() % 2;
        words.push_back(joined ? flag + "=" + value : flag);
        if (valued && !joined) words.push_back(value);
        expected.push_back(std::string(name) + what + (valued ? "[" + value + "]" : "none"));
      };
      const unsigned what = random() % 4;
      if (what == 0 && !command.flags.empty()) {
        const CommandFlag& flag = one_of(command.flags);
        add(flag.name, !flag.value.empty(), 0, " own ");
      } else if (what == 1 && command.keys) {
        const Flag& flag = one_of(key_flags());
        add(flag.name, !flag.value.empty(), flag.letter, " of_key ");
      } else if (what == 2 && command.keys) {
        add(one_of(config_keys()).name, true, 0, " key ");
      } else if (!loose.empty()) {
        words.push_back(value);
        expected.push_back(loose.front() + " own [" + value + "]");
        loose.erase(loose.begin());
      }
    }
    const CommandLine line = read_command_line(words);
    ASSERT_EQ(texts(line), expected) << "seed " << seed << ": " << testing::PrintToString(words);
    ASSERT_EQ(line.rest, Words()) << "seed " << seed << ": " << testing::PrintToString(words);
  }
}

}  // namespace
}  // namespace weft::config
