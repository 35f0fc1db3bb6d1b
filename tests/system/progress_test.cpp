#include "host/system/progress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <sstream>
#include <thread>

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

TEST_F(ProgressTest, WithoutAKnownNumberOfPartsTheTimeSoFarIsShown) {
  bar.begin("reads the data", 0);
  now += 1900ms;
  bar.show(0);
  EXPECT_EQ(said(), "");
  now += 2s;
  bar.show(0);
  EXPECT_EQ(said(), "\rreads the data 4 s\x1b[K");
  bar.clear();
  EXPECT_EQ(said(), "\r\x1b[K");
  lines.begin("reads the data", 0);
  now += 10s;
  lines.show(0);
  EXPECT_EQ(said(), "reads the data 10 s\n");
}

TEST(ElapsedTimeTest, AThreadDisplaysTheTimeUntilTheEnd) {
  std::ostringstream out;
  std::atomic<int> asked = 0;  // the clock: a second each time
  Progress bar(out, true, [&] { return Progress::Clock::time_point(std::chrono::seconds(++asked)); });
  {
    const ElapsedTime time(&bar, "compiles");
    while (asked < 6) std::this_thread::sleep_for(1ms);
  }
  EXPECT_NE(out.str().find("\rcompiles 2 s\x1b[K"), std::string::npos) << out.str();
  EXPECT_TRUE(out.str().ends_with("\r\x1b[K")) << out.str();
  const ElapsedTime nothing(nullptr, "compiles");
}

}  // namespace
}  // namespace weft::system
