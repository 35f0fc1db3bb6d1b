/// Only the computing thread of a wafer's process is stopped: the process still sends heartbeats, its progress watchdog
/// reports the hang, and the process ends. The run, which had no other wafer, continues with a replacement.
#include <gtest/gtest.h>

#include "tests/run/ranks/seen_run.hpp"
#include "tests/run/ranks/stopped_thread.hpp"

namespace weft::test {
namespace {

struct WaferThreadHang : SeenRun {
  WaferThreadHang() : SeenRun(0, 1, {"--swarmx.silence", "0.5"}) {}
};

TEST_F(WaferThreadHang, AWaferWhoseThreadIsStoppedIsLostAndAnotherContinues) {
  const Process root = start(0), data = start(1);
  Process wafer = start(2);
  when([](const Json& now) { return now.at("step") > 3; });
  {
    const StoppedThread stopped(wafer->pid(), "wafer 0");
    if (stopped.error() == EPERM) GTEST_SKIP() << "ptrace is not allowed here";
    ASSERT_EQ(stopped.error(), 0);
    const Json lost = when([](const Json& now) { return of(now, 2).at("state") == "lost"; });
    EXPECT_SAYS(of(lost, 2).at("why"), "wafer 0 has made no progress for 5 s: its compute thread hangs");
  }
  EXPECT_EQ(wafer->wait(), 1);
  EXPECT_SAYS(log(2), "wafer 0 has made no progress for 5 s: ");
  EXPECT_SAYS(log(2), "This process ends.");
  const int step = when([](const Json&) { return true; }).at("step");
  wafer = start(2);
  when([&](const Json& now) { return now.at("step") > step + 3; });
  root->kill(SIGUSR1);
  EXPECT_EQ(root->wait(), 130) << root->errors();
  EXPECT_EQ(wafer->wait(), 0) << wafer->errors();
  const int steps = when([](const Json& now) { return !now.at("end").is_null(); }).at("step");
  run("whole", steps);
  EXPECT_TRUE(tensors("out", steps) == tensors("whole", steps)) << "after step " << steps;
}

}  // namespace
}  // namespace weft::test
