/// Different measures of this process's processor time agree.
#include "bench/common/processor_time.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <ctime>
#include <thread>

namespace weft::bench {
namespace {

constexpr double kTick = 0.01;  // the kernel's clock tick

void work(double seconds) {
  timespec now{};
  do {
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while (static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) < seconds);
}

TEST(ProcessorTime, ThreadCountsItsOwnWork) {
  const double machine = machine_seconds(), process = process_seconds(::getpid());
  double exact = 0, ticks = 0;
  std::thread([&] {
    work(0.3);
    exact = own_thread_seconds(::gettid());
    ticks = thread_seconds(::getpid(), ::gettid());
  }).join();
  EXPECT_GE(exact, 0.3);
  EXPECT_NEAR(ticks, exact, 2 * kTick);
  EXPECT_GE(process_seconds(::getpid()) - process, exact);
  EXPECT_GT(machine_seconds() - machine, exact / 2) << "counted at ticks, so not exact";
  EXPECT_LT(own_thread_seconds(::gettid()), process_seconds(::getpid()));
}

TEST(ProcessorTime, MissingProcessHasNone) {
  constexpr pid_t kNone = 1 << 23;  // above the largest possible process id
  EXPECT_EQ(process_seconds(kNone), 0);
  EXPECT_EQ(thread_seconds(kNone, kNone), 0);
  EXPECT_EQ(own_thread_seconds(kNone), 0);
}

}  // namespace
}  // namespace weft::bench
