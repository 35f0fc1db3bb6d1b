#include "host/system/progress.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace weft::system {
namespace {

using namespace std::chrono_literals;

/// Progress output to a terminal and to a plain stream, with a clock that only the test advances.
struct ProgressTest : testing::Test {
  std::ostringstream out;
  Progress::Clock::time_point now{};
  Progress bar{out, true, [this] { return now; }}, lines{out, false, [this] { return now; }};

  std::string said() {
    const std::string text = out.str();
    out.str("");
    return text;
  }
};

TEST_F(ProgressTest, ShortTaskPrintsNothing) {
  bar.begin("step 1", 4);
  for (int n = 0; n < 4; ++n) {
    now += 499ms;
    bar.add();
  }
  bar.clear();
  EXPECT_EQ(said(), "");
}

TEST_F(ProgressTest, ABarIsDrawnOverItselfAndCleared) {
  bar.begin("step 1", 8);
  now += 3s;
  bar.show(2);
  EXPECT_EQ(said(), "\rstep 1 [======                  ] 25 %, 9 s left\x1b[K");
  now += 199ms;
  bar.add();
  EXPECT_EQ(said(), "") << "so soon nobody sees it";
  now += 1ms;
  bar.add();
  EXPECT_EQ(said(), "\rstep 1 [============            ] 50 %, 3 s left\x1b[K");
  bar.clear();
  EXPECT_EQ(said(), "\r\x1b[K");
  bar.clear();
  EXPECT_EQ(said(), "") << "the line is another's";
}

TEST_F(ProgressTest, NewTaskHasItsOwnTime) {
  bar.begin("step 1", 1);
  now += 3s;
  bar.begin("step 2", 2);
  now += 1900ms;
  bar.add();
  EXPECT_EQ(said(), "");
  now += 100ms;
  bar.add();
  EXPECT_EQ(said(), "\rstep 2 [========================] 100 %, 0 s left\x1b[K");
}

TEST_F(ProgressTest, ElsewhereALineEachTenSeconds) {
  lines.begin("words", 10);
  for (int n = 1; n <= 10; ++n) {
    now += 2s;
    lines.show(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(n) * 10'000'000);
  }
  EXPECT_EQ(said(), "words 10 %, 10.0 MB, 5.0 MB/s, 18 s left\nwords 60 %, 60.0 MB, 5.0 MB/s, 8 s left\n");
  lines.clear();
  EXPECT_EQ(said(), "");
}

}  // namespace
}  // namespace weft::system
