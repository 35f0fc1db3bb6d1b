/// Runs of several processes in which wafers, links and the root fail: each ends with the bits of one process, every
/// step once in the metrics.
#include <gtest/gtest.h>

#include "tests/run/ranks/faulty_run.hpp"

namespace weft {
namespace {

constexpr int kSteps = 100;

class Ranks : public Restart {
 protected:
  Ranks() {
    write_text(folder_ / "key", std::string(64, 'k'));
    std::filesystem::permissions(folder_ / "key", std::filesystem::perms::owner_read);
  }
  /// Two runs may have repeated another number of micro-batches, and no more.
  std::string lines(const std::string& name) const {
    return metrics_without(folder_ / name, {"seconds", "sim_cycles", "fpu_utilization", "crc32c", "repeated"});
  }
  void expect_runs(int count, std::uint64_t first) {
    StartedProgram whole(words("whole", kSteps), errors());
    ASSERT_EQ(whole.wait(), 0) << whole.errors();
    FaultTally tally;
    for (int n = 0; n < count; ++n) {
      const std::string name = "run_" + std::to_string(n);
      const auto kind = static_cast<FaultKind>(n % static_cast<int>(FaultKind::kCount));
      SCOPED_TRACE("seed " + std::to_string(first + static_cast<std::uint64_t>(n)) + ", " + name_of(kind));
      FaultyRun run(folder_ / "", name, kSteps, first + static_cast<std::uint64_t>(n));
      EXPECT_EQ(run.run(1 + n % 3, kind, tally), "");
      EXPECT_TRUE(text_of(file("whole", kSteps)) == text_of(file(name, kSteps)));
      EXPECT_EQ(lines("whole"), lines(name));
      if (HasFailure()) return;
      std::filesystem::remove_all(folder_ / name);
    }
    for (const auto& [kind, hits] : tally.hit) std::printf("%-18s %4d\n", name_of(kind).c_str(), hits);
    std::printf("%d of %d faults hit a run at work\n", tally.all - tally.missed, tally.all);
    EXPECT_LE(tally.missed * 20, tally.all);
  }
};
using RanksLong = Ranks;

TEST_F(Ranks, TwentyFaultyRunsEndWithTheBitsOfOneProcess) { expect_runs(20, test::test_seed()); }
TEST_F(RanksLong, ThreeHundredFaultyRunsEndWithTheBitsOfOneProcess) { expect_runs(300, test::test_seed() + 1000); }

}  // namespace
}  // namespace weft
