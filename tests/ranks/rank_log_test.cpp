#include "host/ranks/rank_log.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <iostream>
#include <regex>
#include <sstream>
#include <thread>

#include "host/ranks/log_line.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::ranks {
namespace {

/// Captures std::cout and std::cerr.
class Console {
 public:
  Console() : out_(std::cout.rdbuf(text.rdbuf())), errors_(std::cerr.rdbuf(errors.rdbuf())) {}
  ~Console() {
    std::cout.rdbuf(out_);
    std::cerr.rdbuf(errors_);
  }
  std::ostringstream text, errors;

 private:
  std::streambuf *out_, *errors_;
};

TEST(LogLine, ANameFromAPeerStaysOnItsLine) {
  const std::string line = log_line("wafer 1\n12:34:56 swarm   wafer 2\x1b[31m has joined");
  EXPECT_EQ(line.substr(9), "swarm   wafer 1\\x0a12:34:56 swarm   wafer 2\\x1b[31m has joined\n");
}

struct RankLogTest : testing::Test {
  test::TemporaryFolder folder;
  std::string file(int rank) const { return folder / ("logs/rank_" + std::to_string(rank) + ".log"); }
  /// The log's lines without timestamps; each line must have one.
  std::string lines(int rank) const {
    static const std::regex kTime(R"(^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (.*)$)");
    std::istringstream in(test::file_text(file(rank)));
    std::string result;
    for (std::string line; std::getline(in, line);) {
      std::smatch parts;
      EXPECT_TRUE(std::regex_match(line, parts, kTime)) << line;
      result += parts[1].str() + "\n";
    }
    return result;
  }
};

TEST_F(RankLogTest, HasWhatTheConsoleHas) {
  const Console console;
  {
    const RankLog log(folder.path(), 3);
    std::cout << "step " << 1 << '\n' << std::flush;
    std::cerr << "wafer 2 is lost\nand";
    std::cerr << " back" << std::endl;
    std::cout << "the end";
  }
  std::cout << "after\n";
  EXPECT_EQ(console.text.str(), "step 1\nthe endafter\n");
  EXPECT_EQ(console.errors.str(), "wafer 2 is lost\nand back\n");
  EXPECT_EQ(lines(3), "step 1\nwafer 2 is lost\nand back\nthe end\n");
}

TEST_F(RankLogTest, IsAppendedToByWhoStartsAgain) {
  const Console console;
  for (const char* text : {"first\n", "second\n"}) {
    const RankLog log(folder.path(), 0);
    std::cout << text;
  }
  EXPECT_EQ(lines(0), "first\nsecond\n");
}

TEST_F(RankLogTest, WaitsForTheFolderThatTheRootMakes) {
  const Console console;
  const RankLog log(folder / "run", 1);
  std::cout << "joining\n";
  EXPECT_FALSE(std::filesystem::exists(folder / "run")) << "it is not ours to make";
  std::filesystem::create_directory(folder / "run");
  std::cout << "joined\n";
  const std::string text = test::file_text(folder / "run/logs/rank_1.log");
  EXPECT_LT(text.find("joining"), text.find("joined"));
}

TEST_F(RankLogTest, BufferIsBounded) {
  const Console console;
  const RankLog log(folder / "run", 1);
  for (int line = 0; line < 10000; ++line) std::cout << "a line that waits\n";
  std::filesystem::create_directory(folder / "run");
  std::cout << "x\n";
  const std::uintmax_t size = std::filesystem::file_size(folder / "run/logs/rank_1.log");
  EXPECT_LE(size, 65536U);
  EXPECT_GT(size, 60000U);
}

TEST_F(RankLogTest, ConsoleHasTheOutputOfAnUnwritableLog) {
  folder.write("logs", "no folder");
  const Console console;
  const RankLog log(folder.path(), 1);
  std::cout << "said\n";
  EXPECT_EQ(console.text.str(), "said\n");
}

TEST_F(RankLogTest, APipeOfThatNameBlocksNoRank) {
  std::filesystem::create_directory(folder / "logs");
  ASSERT_EQ(::mkfifo((folder / "logs/rank_1.log").c_str(), 0600), 0);
  const Console console;
  const RankLog log(folder.path(), 1);
  std::cout << "said\n";
  EXPECT_EQ(console.text.str(), "said\n");
}

TEST_F(RankLogTest, AStreamThatCannotBeWrittenSaysSo) {
  const RankLog log(folder.path(), 1);
  struct Full : std::streambuf {};
  Full full;
  std::streambuf* const before = std::cout.rdbuf(&full);
  {
    const RankLog other(folder.path(), 2);
    std::cout << "lost\n";
    EXPECT_FALSE(std::cout.good());
  }
  std::cout.rdbuf(before);
  EXPECT_EQ(lines(2), "lost\n");
}

TEST_F(RankLogTest, LinesOfTwoStreamsDoNotMix) {
  const Console console;
  {
    const RankLog log(folder.path(), 1);
    const std::jthread other([] {
      for (int n = 0; n < 500; ++n) std::cerr.write("an error\n", 9);
    });
    for (int n = 0; n < 500; ++n) std::cout.write("a line\n", 7);
  }
  std::istringstream in(lines(1));
  int errors = 0, others = 0;
  for (std::string line; std::getline(in, line);) line == "an error" ? ++errors : others += line == "a line";
  EXPECT_EQ(errors, 500);
  EXPECT_EQ(others, 500);
}

}  // namespace
}  // namespace weft::ranks
