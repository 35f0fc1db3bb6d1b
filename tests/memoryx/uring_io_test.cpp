/// If the system denies io_uring, at the start or later, the flash tier continues with threads and the same bits.
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "host/memoryx/pages/pages.hpp"
#include "host/memoryx/tier.hpp"
#include "tests/child_process.hpp"
#include "tests/failing_system_calls.hpp"
#include "tests/memoryx/small_plan.hpp"

namespace weft::memoryx {
namespace {

constexpr int kSame = 0, kOther = 1, kNotNoted = 2, kNoFilter = 3;

std::unique_ptr<TierStore> tier(const compiler::Plan& plan) {
  return std::make_unique<TierStore>(plan.parameters,
                                     TierOptions{.dram = 220 << 10, .folder = std::filesystem::current_path()});
}

constexpr struct {
  const char* name;
  long call;
  int error;
} kRefused[] = {{"setup", SYS_io_uring_setup, EPERM}, {"setup", SYS_io_uring_setup, ENOSYS},
                {"enter", SYS_io_uring_enter, EPERM}, {"enter", SYS_io_uring_enter, EAGAIN},
                {"enter", SYS_io_uring_enter, EBUSY}, {"register", SYS_io_uring_register, EPERM}};

TEST(UringIo, FallbackToThreadsKeepsTheBitsAndIsLogged) {
  const compiler::Plan plan = small_plan(12000);
  const std::uint64_t hash = memoryx::train(plan, 1, 1 << 20);
  for (const auto& refused : kRefused) {
    const int code = test::in_child([&] {
      if (!test::fail_system_calls({{refused.call, refused.error}})) return kNoFilter;
      auto store = tier(plan);
      const std::string about = store->pages()->description();
      if (about.find("threads, because the system rejects io_uring (") == std::string::npos) return kNotNoted;
      return memoryx::train(plan, 1, 10000, nullptr, std::move(store)) == hash ? kSame : kOther;
    });
    if (code == kNoFilter) GTEST_SKIP() << "no filters of system calls here";
    EXPECT_EQ(code, kSame) << refused.name << ", errno " << refused.error;
  }
}

TEST(UringIo, FailureDuringUseFallsBackToThreadsWithTheSameBits) {
  const compiler::Plan plan = small_plan(12000);
  const std::uint64_t hash = memoryx::train(plan, 1, 1 << 20);
  for (const int error : {EPERM, EAGAIN}) {
    const int code = test::in_child([&] {
      auto store = tier(plan);
      if (store->pages()->description().find("io_uring,") == std::string::npos) return kNoFilter;
      if (!test::fail_system_calls({{SYS_io_uring_enter, error}})) return kNoFilter;
      return memoryx::train(plan, 1, 10000, nullptr, std::move(store)) == hash ? kSame : kOther;
    });
    if (code == kNoFilter) GTEST_SKIP() << "no io_uring or no filters of system calls here";
    EXPECT_EQ(code, kSame) << "errno " << error;
  }
}

/// Destruction makes no system call that may be denied.
TEST(UringIo, ADeniedQueueCanBeDestroyed) {
  const int code = test::in_child([] {
    const auto store = tier(small_plan(8));
    return test::fail_system_calls({{SYS_io_uring_enter, EPERM}}) ? kSame : kNoFilter;
  });
  if (code == kNoFilter) GTEST_SKIP() << "no filters of system calls here";
  EXPECT_EQ(code, kSame);
}

}  // namespace
}  // namespace weft::memoryx
