#include "host/appliance/modes/memory_limit.hpp"

#include <gtest/gtest.h>

#include "tests/temporary_folder.hpp"

namespace weft {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

/// As of a job of Slurm: the step has none of its own.
TEST(MemoryLimit, IsThatOfAnyGroupThatAProcessIsIn) {
  const TemporaryFolder root;
  const auto limit = [&](const char* groups) { return memory_limit(groups, root / ""); };
  EXPECT_EQ(limit("0::/slurm/job_7/step_0\n"), kNone);
  root.write("slurm/job_7/step_0/memory.max", "max\n");
  EXPECT_EQ(limit("0::/slurm/job_7/step_0\n"), kNone);
  root.write("slurm/job_7/memory.max", "3000000000\n");
  root.write("slurm/memory.max", "9000000000\n");
  EXPECT_EQ(limit("0::/slurm/job_7/step_0\n"), 3e9);
  EXPECT_EQ(limit("0::/slurm\n"), 9e9);
  EXPECT_EQ(limit("0::/\n"), kNone);
  EXPECT_EQ(limit(""), kNone);
}

TEST(MemoryLimit, OfAContainerIsWhereItsGroupsAreMounted) {
  const TemporaryFolder root;
  root.write("memory.max", "5000\n");
  EXPECT_EQ(memory_limit("0::/../of/the/host\n", root / ""), 5000);
  EXPECT_EQ(memory_limit("0::/\n", root / ""), 5000);
}

TEST(MemoryLimit, OfVersionOneIsThatOfMemory) {
  const TemporaryFolder root;
  root.write("memory/a/b/memory.limit_in_bytes", "7000\n");
  root.write("cpu/a/b/memory.limit_in_bytes", "1\n");
  EXPECT_EQ(memory_limit("4:cpu,cpuacct:/a/b\n3:memory:/a/b\n0::/\n", root / ""), 7000);
  EXPECT_EQ(memory_limit("3:hugetlb,memory:/a/b/c\n", root / ""), 7000);
  EXPECT_EQ(memory_limit("4:cpu:/a/b\n", root / ""), kNone);
}

}  // namespace
}  // namespace weft
