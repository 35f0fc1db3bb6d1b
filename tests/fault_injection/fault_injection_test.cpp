/// Fault injection: the program must end with the right bits or with one clear error line; see README.md.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "tests/fault_injection/outcomes.hpp"

namespace weft::fault_injection {
namespace {

constexpr const char* kOne = "WEFT_FAULT_INJECTION";        // seed of a single run to repeat
constexpr const char* kRuns = "WEFT_FAULT_INJECTION_RUNS";  // number of runs, instead of the default

/// Enters a mount namespace of this process: mounts of a run are invisible outside and vanish with the process. Without
/// the privilege for it, no file system is mounted.
void keep_mounts_to_ourselves() {
  if (unshare(CLONE_NEWNS) == 0) mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
}

Outcomes run_many(std::uint64_t first, int runs) {
  if (const char* other = std::getenv(kRuns)) runs = std::atoi(other);
  Outcomes outcomes;
  std::mutex mutex;
  std::atomic<int> next{0};
  const auto work = [&] {
    for (int i = next++; i < runs; i = next++) {
      const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
      const Report report = faulty_run(seed, false);
      const std::lock_guard lock(mutex);
      outcomes.add(report);
      for (const Violation& v : report.violations) {
        std::printf("seed %llu, %s: %s\n", static_cast<unsigned long long>(v.seed), v.kinds.c_str(), v.text.c_str());
      }
      std::fflush(stdout);
    }
  };
  std::vector<std::jthread> workers;
  for (int i = 0; i < 2; ++i) workers.emplace_back(work);
  workers.clear();
  return outcomes;
}

void expect_none(const Outcomes& outcomes) {
  std::printf("%s\n", outcomes.table().c_str());
  const std::string violations = outcomes.violations();
  EXPECT_TRUE(violations.empty()) << violations << "again: " << kOne << "=SEED " << WEFT_FAULT_INJECTION_TEST
                                  << " --gtest_filter=FaultInjection.FourRunsEndWell";
}

void expect_well(int runs) {
  keep_mounts_to_ourselves();
  if (const char* one = std::getenv(kOne)) {
    Outcomes outcomes;
    outcomes.add(faulty_run(std::strtoull(one, nullptr, 0), true));
    return expect_none(outcomes);
  }
  expect_none(run_many(test::test_seed(), runs));
}

}  // namespace

TEST(FaultInjection, FourRunsEndWell) { expect_well(4); }

/// Fails if a kind was never injected, since it was not tested then.
TEST(FaultInjectionLong, AThousandRunsEndWell) {
  keep_mounts_to_ourselves();
  const Outcomes outcomes = run_many(test::test_seed(), 1000);
  expect_none(outcomes);
  for (const std::string& name : outcomes.missing()) ADD_FAILURE() << name << " was never injected";
}

}  // namespace weft::fault_injection
