/// What the benchmarks say in the end.
#include "bench/print.hpp"

#include <gtest/gtest.h>

namespace weft::bench {
namespace {

struct Verdict {
  std::string text;
  bool all = false;
};

Verdict verdict_after(void (*benchmark)()) {
  testing::internal::CaptureStdout();
  benchmark();
  Verdict result;
  result.all = verdict();
  std::fflush(stdout);
  result.text = testing::internal::GetCapturedStdout();
  return result;
}

/// In one test: goals are counted as long as the program runs.
TEST(BenchPrint, TheLastLineCountsGoalsAndAMissedOneIsAFailure) {
  const Verdict none = verdict_after([] { fact("speed", 3, "steps/s"); });
  EXPECT_TRUE(none.all);
  EXPECT_TRUE(none.text.ends_with("\ngoals: 0 reached, 0 missed\n")) << none.text;
  const Verdict reached = verdict_after([] {
    goal("speed", 3, "steps/s", 3);
    limit("time", 3, "s", 3);
  });
  EXPECT_TRUE(reached.all);
  EXPECT_TRUE(reached.text.ends_with("\ngoals: 2 reached, 0 missed\n")) << reached.text;
  const Verdict missed = verdict_after([] {
    goal("speed", 2.9, "steps/s", 3);
    limit("time", 3, "s", 4);
  });
  EXPECT_FALSE(missed.all);
  EXPECT_TRUE(missed.text.ends_with("\ngoals: 3 reached, 1 missed\n")) << missed.text;
}

}  // namespace
}  // namespace weft::bench
