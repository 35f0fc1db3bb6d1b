/// Memory that a process may still use: an allocation beyond the bound fails instead of ending the process.
#include "sw/base/memory_room.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <limits>
#include <new>
#include <thread>
#include <vector>

#include "tests/child_process.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::test {
namespace {

class MemoryRooms : public testing::Test {
 protected:
  double limit(const std::string& groups) const {
    proc_.write("self/cgroup", groups);
    return memory_limit(sources());
  }
  MemoryRoom room(const std::string& groups) const {
    proc_.write("self/cgroup", groups);
    return memory_room(sources());
  }
  MemorySources sources() const {
    return {.proc = folder_.path() / "proc", .groups = folder_.path() / "groups", .own_limits = false};
  }
  void group(const std::string& file, const std::string& text) const { folder_.write("groups/" + file, text); }

  const TemporaryFolder folder_;
  struct Proc {
    const TemporaryFolder& folder;
    void write(const std::string& file, const std::string& text) const { folder.write("proc/" + file, text); }
  } proc_{folder_};
  static constexpr double kNone = std::numeric_limits<double>::infinity();
};

/// In a Slurm job, the step's group has no limit of its own.
TEST_F(MemoryRooms, TheLimitIsThatOfAnyGroupThatAProcessIsIn) {
  EXPECT_EQ(limit("0::/slurm/job_7/step_0\n"), kNone);
  group("slurm/job_7/step_0/memory.max", "max\n");
  EXPECT_EQ(limit("0::/slurm/job_7/step_0\n"), kNone);
  group("slurm/job_7/memory.max", "3000000000\n");
  group("slurm/memory.max", "9000000000\n");
  EXPECT_EQ(limit("0::/slurm/job_7/step_0\n"), 3e9);
  EXPECT_EQ(limit("0::/slurm\n"), 9e9);
  EXPECT_EQ(limit("0::/\n"), kNone);
  EXPECT_EQ(limit(""), kNone);
}

TEST_F(MemoryRooms, TheLimitOfAContainerIsWhereItsGroupsAreMounted) {
  group("memory.max", "5000\n");
  EXPECT_EQ(limit("0::/../of/the/host\n"), 5000);
  EXPECT_EQ(limit("0::/\n"), 5000);
}

TEST_F(MemoryRooms, TheLimitOfVersionOneIsThatOfMemory) {
  group("memory/a/b/memory.limit_in_bytes", "7000\n");
  group("cpu/a/b/memory.limit_in_bytes", "1\n");
  EXPECT_EQ(limit("4:cpu,cpuacct:/a/b\n3:memory:/a/b\n0::/\n"), 7000);
  EXPECT_EQ(limit("3:hugetlb,memory:/a/b/c\n"), 7000);
  EXPECT_EQ(limit("4:cpu:/a/b\n"), kNone);
  group("memory/memory.limit_in_bytes", "9223372036854771712\n");  // means no limit
  EXPECT_EQ(limit("3:memory:/c\n"), kNone);
}

TEST_F(MemoryRooms, SecondVersionIsUnifiedIfBothAreMounted) {
  group("unified/a/memory.max", "7000\n");
  EXPECT_EQ(limit("3:memory:/a\n0::/a\n"), 7000);
}

TEST_F(MemoryRooms, TheRestIsTheLeastOfAnyGroupWithoutOthersAndWithTheCache) {
  group("job/memory.max", "1000\n");
  group("job/memory.current", "700\n");
  group("job/memory.stat", "anon 100\ninactive_file 150\nactive_file 50\n");
  group("job/step/memory.max", "900\n");
  group("job/step/memory.current", "100\n");
  const MemoryRoom room = this->room("0::/job/step\n");
  EXPECT_EQ(room.left, 500);
  EXPECT_EQ(room.limit, 1000);
  EXPECT_EQ(room.text(), "500 bytes of 1000 bytes are left (the control group's limit memory.max)");
  group("job/step/memory.high", "350\n");
  EXPECT_EQ(this->room("0::/job/step\n").left, 250);
  group("job/memory.current", "1100\n");
  EXPECT_EQ(this->room("0::/job/step\n").left, 100);
}

TEST_F(MemoryRooms, SwapIsMemoryWhereTheGroupMayUseIt) {
  proc_.write("meminfo", "MemTotal: 100000 kB\nMemAvailable: 50000 kB\nSwapTotal: 100 kB\nSwapFree: 50 kB\n");
  group("job/memory.max", "1000\n");
  EXPECT_EQ(room("0::/job\n").left, 1000);  // up to the limit itself, since the group's swap usage is unknown
  group("job/memory.swap.max", "0\n");
  group("job/memory.current", "600\n");
  EXPECT_EQ(room("0::/job\n").left, 400);
  group("job/memory.swap.max", "300\n");
  group("job/memory.swap.current", "100\n");
  EXPECT_EQ(room("0::/job\n").left, 600);
}

TEST_F(MemoryRooms, AMachineHasItsMemoryAndItsSwap) {
  proc_.write("meminfo", "MemTotal: 100 kB\nMemFree: 1 kB\nMemAvailable: 40 kB\nSwapTotal: 20 kB\nSwapFree: 10 kB\n");
  EXPECT_EQ(room("").left, 50 * 1024);
  EXPECT_EQ(limit(""), 120 * 1024);
  EXPECT_EQ(room("").of, "this machine's memory");
}

TEST(MemoryText, HasAUnit) {
  EXPECT_EQ(memory_text(20), "20 bytes");
  EXPECT_EQ(memory_text(924 << 20), "924 MiB");
  EXPECT_EQ(memory_text(std::ldexp(1.5, 40)), "1.5 TiB");
}

TEST(MemoryRoom, KnowsTheLimitsOfThisProcess) {
  for (const auto which : {RLIMIT_AS, RLIMIT_DATA}) {
    const int code = in_child([&] {
      constexpr double kMost = 512 << 20;
      const rlimit limit{static_cast<rlim_t>(kMost), static_cast<rlim_t>(kMost)};
      ::setrlimit(which, &limit);
      const double before = memory_room().left;
      const std::vector<char> some(64 << 20);
      const double after = memory_room().left;
      return memory_limit() > kMost ? 1 : before > kMost ? 2 : after > before - (60 << 20) ? 3 : 0;
    });
    EXPECT_EQ(code, 0) << which;
  }
}

/// True if `bytes` can be allocated, in blocks of one mebibyte.
bool has(std::size_t bytes) {
  std::vector<std::vector<char>> all;
  try {
    for (std::size_t done = 0; done < bytes; done += 1 << 20) all.emplace_back(1 << 20);
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

TEST(MemoryBound, LetsAnAllocationFailThatHasNoRoom) {
  const int code = in_child([] {
    const rlimit limit{256 << 20, 256 << 20};
    ::setrlimit(RLIMIT_DATA, &limit);  // a limit that the allocation exceeds
    std::vector<char> half(100 << 20);
    {
      const MemoryBound bound, once_more;
      if (memory_room().of != "this process's limit on data, ulimit -d" || memory_room().limit != 256 << 20) return 1;
      if (!has(75 << 20)) return 2;
      if (has(175 << 20)) return 3;
      bool there = true;
      std::jthread([&] { there = has(175 << 20); }).join();
      if (there) return 4;
    }
    rlimit after{};
    ::getrlimit(RLIMIT_DATA, &after);
    return after.rlim_cur == limit.rlim_cur ? 0 : 5;
  });
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace weft::test
