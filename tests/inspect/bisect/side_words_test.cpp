/// Spellings of a side on the command line.
#include "host/inspect/bisect/side_words.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "sw/base/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::inspect::bisect {
namespace {

using Words = std::vector<std::string>;

class SideWords : public ::testing::Test {
 protected:
  /// Arguments that are run for the side `text`, after the program in this tree's build/; `both`: the rest of the
  /// command line.
  Words words(const std::string& text, const Words& both = {"--params", "p.yaml", "--num_steps", "3"}) {
    Words all = {"bisect"};
    all.insert(all.end(), both.begin(), both.end());
    Words line = side_words("b", text, config::parse_arguments(all), WEFT_INSPECT, folder_.path());
    EXPECT_EQ(std::filesystem::absolute(line[0]).lexically_normal(), std::filesystem::path(WEFT_INSPECT));
    line.erase(line.begin());
    return line;
  }
  Words with(const Words& more) const {
    Words all = both_;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  const Words both_ = {"run", "--params", "p.yaml", "--runconfig.num_steps=3"};
  test::TemporaryFolder folder_;
};

TEST_F(SideWords, DefaultIsThisProgram) { EXPECT_EQ(words(""), both_); }

TEST_F(SideWords, OptionsAreAdded) { EXPECT_EQ(words("--optimizer.eps 1e-7"), with({"--optimizer.eps", "1e-7"})); }

TEST_F(SideWords, ABackend) {
  EXPECT_EQ(words("rtl"), with({"--backend", "rtl"}));
  EXPECT_EQ(words("model --x.y 1"), with({"--backend", "model", "--x.y", "1"}));
}

TEST_F(SideWords, OtherParametersHaveWhatIsSaidToBothOnTop) {
  EXPECT_EQ(words("q.yaml"), (Words{"run", "--params", "q.yaml", "--runconfig.num_steps=3"}));
}

TEST_F(SideWords, AProgramHasParametersOfItsOwnOrThoseOfBoth) {
  const std::string program = WEFT_INSPECT;
  EXPECT_EQ(words(program), both_);
  EXPECT_EQ(words(program + " run --backend rtl"), with({"--backend", "rtl"}));
  EXPECT_EQ(words(program + " run --params q.yaml"), (Words{"run", "--params", "q.yaml"}));
  EXPECT_EQ(words(program + " --params=q.yaml"), (Words{"run", "--params=q.yaml"}));
}

TEST_F(SideWords, NoParametersAreRefused) { EXPECT_THROW(words("rtl", {}), Refusal); }

/// Two programs read the parameters, each of them several times.
TEST_F(SideWords, APipeOfParametersIsRefusedWhoeverNamesIt) {
  const std::string pipe = (folder_.path() / "pipe.yaml").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto refused = [&](const std::string& text, const Words& both) {
    try {
      words(text, both);
    } catch (const Refusal& refusal) {
      return std::string(refusal.what());
    }
    return std::string("nothing is refused");
  };
  const std::string what = "--params: " + pipe +
                           " is a pipe, which can be read once, and both programs read the parameters. HINT: write "
                           "them to a file, and name that.";
  EXPECT_EQ(refused("rtl", {"--params", pipe}), what);
  EXPECT_EQ(refused("no-such-commit", {"-p", pipe}), what) << "before anything is built";
  for (const std::string& text : {pipe, "rtl --params " + pipe, "rtl -p " + pipe, "rtl --params=" + pipe})
    EXPECT_EQ(refused(text, {"--params", "p.yaml"}), what) << text;
  const std::string file = folder_.write("file.yaml", "");
  EXPECT_EQ(refused("rtl", {"--params", file}), "nothing is refused");
}

TEST_F(SideWords, OtherWordIsACommitThatMustExist) {
  try {
    words("no-such-commit");
    FAIL();
  } catch (const Refusal& refusal) {
    EXPECT_EQ(std::string(refusal.what()).find("--b: no-such-commit: this commit could not be built"), 0u)
        << refusal.what();
  }
}

TEST_F(SideWords, TwoLooseWordsAreTheSidesAThirdIsRefused) {
  const config::Arguments two = config::parse_arguments({"bisect", "model", "--num_steps", "3", "rtl"});
  EXPECT_EQ(two.options.at("a"), "model");
  EXPECT_EQ(two.options.at("b"), "rtl");
  EXPECT_THROW(config::parse_arguments({"bisect", "a", "b", "c"}), Refusal);
}

}  // namespace
}  // namespace weft::inspect::bisect
