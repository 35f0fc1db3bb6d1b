/// Spellings of paths in parameter files and on the command line.
#include "host/config/keys/path_keys.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include "host/config/command_line/arguments.hpp"
#include "host/config/file/load.hpp"
#include "host/config/file/show.hpp"
#include "host/config/keys/keys.hpp"
#include "tests/config/good_config.hpp"

namespace weft::config {
namespace {

/// Sets environment variables for a test.
class PathKeys : public testing::Test {
 protected:
  PathKeys() {
    set("HOME", "/home/ada");
    set("DATA", "/data/set");
    ::unsetenv("NONE");
  }
  ~PathKeys() override {
    for (const auto& [name, value] : before_)
      value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }

  static std::string refused(const std::string& path) {
    try {
      return "taken as " + expanded_path(path);
    } catch (const Refusal& e) {
      return e.problem();
    }
  }

 private:
  void set(const std::string& name, const std::string& value) {
    const char* there = std::getenv(name.c_str());
    before_[name] = there != nullptr ? std::optional<std::string>(there) : std::nullopt;
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  std::map<std::string, std::optional<std::string>> before_;
};

TEST_F(PathKeys, HomeAndVariablesAreExpanded) {
  const std::pair<const char*, const char*> paths[] = {{"~", "/home/ada"},
                                                       {"~/runs", "/home/ada/runs"},
                                                       {"~root/x", "/root/x"},
                                                       {"$HOME/x", "/home/ada/x"},
                                                       {"${DATA}_2/x", "/data/set_2/x"},
                                                       {"a/$DATA", "a//data/set"},
                                                       {"./~/x", "./~/x"},
                                                       {"a~", "a~"},
                                                       {"", ""},
                                                       {"a$5.txt", "a$5.txt"},
                                                       {"a$", "a$"},
                                                       {"a$$HOME", "a$HOME"},
                                                       {"${", "${"},
                                                       {"${HOME", "${HOME"}};
  for (const auto& [path, expanded] : paths) EXPECT_EQ(expanded_path(path), expanded) << path;
}

TEST_F(PathKeys, UnknownNameIsRejected) {
  EXPECT_EQ(refused("$NONE/x"), "names the variable NONE, which is not set");
  EXPECT_EQ(refused("${NONE}"), "names the variable NONE, which is not set");
  EXPECT_EQ(refused("~nobody_of_this_name/x"), "begins with ~nobody_of_this_name, whose home folder is not known");
}

TEST_F(PathKeys, ShellExpansionIsRejected) {
  EXPECT_EQ(refused("${HOME:-x}/r"), "has ${HOME:-x}, which only a shell expands");
  EXPECT_EQ(refused("a/${}"), "has ${}, which only a shell expands");
  EXPECT_EQ(refused("${5}"), "has ${5}, which only a shell expands");
  EXPECT_EQ(refused("$(pwd)/r"), "has $(, which only a shell expands");
  EXPECT_EQ(refused("`pwd`/r"), "has a backtick, which only a shell expands");
  EXPECT_EQ(expanded_path("$$(pwd)/$`r$`/$${HOME:-x}"), "$(pwd)/`r`/${HOME:-x}");
}

TEST_F(PathKeys, AWrittenPathIsReadAsItIs) {
  for (const std::string path :
       {"/a/b", "~", "~root", "$HOME", "a$$b", "a$", "${", "", "a~", "$(pwd)", "`pwd`", "$`", "${HOME:-x}"})
    EXPECT_EQ(expanded_path(written_path(path)), path.starts_with('~') ? "./" + path : path) << path;
}

/// Every key of the table, in a file and on the command line, including lists.
TEST_F(PathKeys, EveryKeyThatIsAPathIsExpanded) {
  std::vector<Override> all;
  for (const PathKey& key : path_keys())
    if (key.name != "model.network") all.push_back({std::string(key.name), "~/x/$DATA"});
  all.push_back({"train_input.more_data_dirs", "[$DATA, ~/x]"});
  all.push_back({"train_input.tokenizer", "bpe"});
  Config config = parse_config(kGood, "configs/mine.yaml", all);
  for (const PathKey& key : path_keys())
    for_each_path(config, key.name, [&](const std::string& path) {
      if (key.name == "train_input.more_data_dirs" || key.name == "model.network") return;
      EXPECT_EQ(path, "/home/ada/x//data/set") << key.name;
    });
  EXPECT_EQ(config.train_input.more_data_dirs, (std::vector<std::string>{"/data/set", "/home/ada/x"}));
  std::string text = kGood;
  text.replace(text.find("data_dir: "), text.find('\n', text.find("data_dir: ")) - text.find("data_dir: "),
               "data_dir: ~/x\n  more_data_dirs: [$DATA/y, z]");
  config = parse_config(text, "configs/mine.yaml");
  EXPECT_EQ(config.train_input.data_dirs(), (std::vector<std::string>{"/home/ada/x", "/data/set/y", "configs/z"}));
}

TEST_F(PathKeys, AKeyThatNamesAFileIsAPath) {
  for (const Key<Config>& key : config_keys()) {
    const bool named_so = key.name.ends_with("_dir") || key.name.ends_with("_dirs") || key.name.ends_with("_file") ||
                          key.name.ends_with("_path");
    EXPECT_TRUE(is_path_key(key.name) || !named_so) << key.name;
  }
}

TEST_F(PathKeys, AnUnknownVariableNamesTheKeyAndItsPlace) {
  try {
    parse_config(kGood, "configs/mine.yaml", {{"runconfig.model_dir", "$NONE/x"}});
    FAIL();
  } catch (const Refusal& e) {
    EXPECT_STREQ(
        e.what(),
        "command line: runconfig.model_dir: names the variable NONE, which is not set. HINT: set it, write the "
        "path without it, or $$ for a dollar sign.");
  }
}

TEST_F(PathKeys, AParameterFileThatARunKeepsHasTheSamePaths) {
  const Config config = parse_config(kGood, "configs/mine.yaml", {{"runconfig.model_dir", "/a$$b/~/$$HOME"}});
  EXPECT_EQ(config.runconfig.model_dir, "/a$b/~/$HOME");
  EXPECT_EQ(parse_config(config_yaml(config), "x.yaml").runconfig.model_dir, config.runconfig.model_dir);
}

TEST_F(PathKeys, FlagsThatAreFilesAreExpandedWhereNoShellHas) {
  const Arguments run = parse_arguments({"run", "--params=~/mine.yaml", "--save=$DATA/plan", "--model_dir=~/out"});
  EXPECT_EQ(run.params, "/home/ada/mine.yaml");
  EXPECT_EQ(run.options.at("save"), "/data/set/plan");
  const Arguments shards = parse_arguments({"tokenize", "~/text", "--tokenizer", "t.json", "--eot", "~$DATA"});
  EXPECT_EQ(shards.options.at("in"), "/home/ada/text");
  EXPECT_EQ(shards.options.at("eot"), "~$DATA") << "not a path";
}

}  // namespace
}  // namespace weft::config
