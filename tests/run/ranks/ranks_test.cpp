/// Runs of several processes with failures of wafers, ranks of MemoryX, links, disks and the root: each ends with the
/// bits of one process, and every step occurs once in the metrics.
#include <gtest/gtest.h>

#include <atomic>

#include "tests/run/ranks/faulty_run.hpp"

namespace weft::test {
namespace {

constexpr int kSteps = 100;

class Ranks : public Restart {
 protected:
  Ranks() {
    checkpoint::write_text(folder_ / "key", std::string(64, 'k'));
    std::filesystem::permissions(folder_ / "key", std::filesystem::perms::owner_read);
  }
  /// Two runs may differ only in the number of repeated micro-batches (and in times and sizes).
  std::string lines(const std::string& name) const {
    return checkpoint::metrics_without(
        folder_ / name, {"seconds", "sim_cycles", "fpu_utilization", "edge_bytes", "crc32c", "repeated"});
  }
  /// Steps that occur twice in the metrics, or not at all.
  std::string wrong_steps(const std::string& name) const {
    std::map<int, int> times;
    for (int step = 1; step <= kSteps; ++step) times[step] = 0;
    std::istringstream in(checkpoint::text_of(folder_ / name + "/metrics.jsonl"));
    for (std::string line; std::getline(in, line);) ++times[nlohmann::json::parse(line).at("step").get<int>()];
    std::string wrong;
    for (const auto& [step, count] : times) {
      if (count != 1) wrong += " step " + std::to_string(step) + " is there " + std::to_string(count) + " times";
    }
    return wrong;
  }
  /// Runs number `n` with its faults; returns the deviations, or nothing.
  std::string one(int n, std::uint64_t seed, FaultCounts& counts) const {
    const std::string name = "run_" + std::to_string(n);
    constexpr int kKinds = static_cast<int>(FaultKind::kCount);
    const auto kind = static_cast<FaultKind>(n % kKinds);
    const bool node = needs_node(kind) || (n + n / kKinds) % 2 == 1;
    const bool memory = needs_memory(kind) || (n / 2 + n / kKinds) % 2 == 1;
    FaultyRun run(folder_ / "", name, kSteps, std::filesystem::file_size(file("whole", kSteps)), node, memory, seed);
    std::string wrong = run.run(1 + n % 3, kind, counts);
    if (wrong.empty()) {
      wrong = wrong_steps(name);
      if (tensors("whole", kSteps) != tensors(name, kSteps)) wrong += " other weights";
      if (lines("whole") != lines(name)) wrong += " other metrics";
    }
    if (!wrong.empty())
      return "seed " + std::to_string(seed) + (node ? ", a node" : "") + (memory ? ", ranks of MemoryX, " : ", ") +
             name_of(kind) + ": " + wrong;
    std::filesystem::remove_all(folder_ / name);
    return {};
  }
  /// Runs four at a time, since they mostly wait.
  void expect_runs(int begin, int count, std::uint64_t first) {
    run("whole", kSteps);
    const int end = begin + count;
    std::atomic<int> next = begin;
    std::mutex mutex;
    std::string wrong;
    FaultCounts counts;
    const auto work = [&] {
      for (int n = next++; n < end; n = next++) {
        FaultCounts mine;
        const std::string text = one(n, first + static_cast<std::uint64_t>(n), mine);
        const std::lock_guard lock(mutex);
        counts.add(mine);
        if (text.empty()) continue;
        wrong += text + "\n";
        next = end;
      }
    };
    FirstFailure failure;
    {
      std::vector<std::jthread> threads;
      for (int n = 0; n < 4; ++n) threads.push_back(guarded_thread(failure, work));
    }
    failure.check();
    counts.print();
    EXPECT_EQ(wrong, "");
    if (count >= 20) {
      EXPECT_GE(counts.all().hit * 20, counts.all().asked * 19);
    }
  }
};
constexpr int kMemoryKinds = static_cast<int>(FaultKind::kCount) - static_cast<int>(FaultKind::KillMemory);
using RanksLong = Ranks;

TEST_F(Ranks, TwoFaultyRunsEndWithTheBitsOfOneProcess) { expect_runs(0, 2, test_seed()); }
TEST_F(Ranks, AKilledRankOfMemoryXEndsWithTheBitsOfOneProcess) {
  expect_runs(static_cast<int>(FaultKind::KillMemory), 1, test_seed());
}
TEST_F(RanksLong, OneOfEachFaultOfRanksOfMemoryXEndsWithTheBitsOfOneProcess) {
  expect_runs(static_cast<int>(FaultKind::KillMemory), kMemoryKinds, test_seed());
}
TEST_F(RanksLong, ThreeHundredFaultyRunsEndWithTheBitsOfOneProcess) { expect_runs(0, 300, test_seed() + 1000); }

}  // namespace
}  // namespace weft::test
