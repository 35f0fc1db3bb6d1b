/// Runs with damaged links, and with boards that are reset in mid-step, end with the model's bits or a clear error, and
/// never hang.
#include <gtest/gtest.h>

#include "tests/board/damaged_run.hpp"
#include "tests/random.hpp"

namespace weft::board {
namespace {

/// Runs `n` seeds from `begin` on. Each kind of fault must have occurred in ten.
void runs(std::uint64_t begin, int n) {
  DamagedRuns all;
  for (int i = 0; i < n; ++i) {
    std::printf("seed %llu\n", static_cast<unsigned long long>(begin) + static_cast<unsigned>(i));
    std::fflush(stdout);
    all.run(begin + static_cast<unsigned>(i));
  }
  std::printf("%d runs: %s\n", n, all.text().c_str());
  if (n < 10) return;
  for (const char* kind : {"bits flipped", "bytes cut", "frames doubled", "frames delayed", "resets", "frames again",
                           "frames came damaged", "runs that stopped", "over UDP", "over serial"}) {
    const auto at = all.faults().find(kind);
    EXPECT_TRUE(at != all.faults().end() && at->second > 0) << "no " << kind;
  }
}

TEST(DamagedRuns, TwoEndWellOrStop) { runs(test::test_seed(), 2); }

class DamagedRunsLong : public testing::TestWithParam<int> {};
TEST_P(DamagedRunsLong, FiftyEndWellOrStop) {
  runs(test::test_seed() + 1000 + static_cast<unsigned>(GetParam()) * 50, 50);
}
INSTANTIATE_TEST_SUITE_P(Seeds, DamagedRunsLong, testing::Range(0, 4));

}  // namespace
}  // namespace weft::board
