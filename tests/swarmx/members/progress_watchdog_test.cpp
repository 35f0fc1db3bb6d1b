/// A wafer with a hung thread is lost although its process is alive; a slow one, or one that cannot report progress, is
/// not.
#include "host/swarmx/base/progress_watchdog.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <semaphore>
#include <system_error>
#include <thread>

#include "host/swarmx/members/member_session.hpp"
#include "sw/base/failure.hpp"
#include "tests/says.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/remote.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

TEST(WatchdogMonitor, SeesAThreadThatOwesSomethingAndDoesNotCount) {
  ProgressWatchdog watchdog;
  WatchdogMonitor monitor(watchdog, 3);
  EXPECT_FALSE(monitor.check());
  EXPECT_FALSE(monitor.check());
  EXPECT_TRUE(monitor.check());
  EXPECT_FALSE(monitor.check()) << "anew";
}

TEST(WatchdogMonitor, SlowProgressIsNotStuck) {
  ProgressWatchdog watchdog;
  WatchdogMonitor monitor(watchdog, 3);
  for (int n = 0; n < 10; ++n) {
    EXPECT_FALSE(monitor.check());
    EXPECT_FALSE(monitor.check());
    ++watchdog.count();
  }
  EXPECT_FALSE(monitor.check());
}

TEST(WatchdogMonitor, IdleWorkerIsNotStuck) {
  ProgressWatchdog watchdog;
  WatchdogMonitor monitor(watchdog, 2);
  {
    const ProgressWatchdog::Idle rest(&watchdog);
    const ProgressWatchdog::Idle another(&watchdog);
    for (int n = 0; n < 5; ++n) EXPECT_FALSE(monitor.check());
  }
  EXPECT_FALSE(monitor.check()) << "it has only just begun";
  EXPECT_FALSE(monitor.check());
  EXPECT_TRUE(monitor.check());
}

TEST(WatchdogMonitor, ReaderMustProgressOnceAFrameIsThere) {
  ProgressWatchdog watchdog;
  WatchdogMonitor monitor(watchdog, 2);
  {
    const ProgressWatchdog::Reading take(&watchdog);
    for (int n = 0; n < 5; ++n) EXPECT_FALSE(monitor.check());
    watchdog.announce_frame();
    EXPECT_FALSE(monitor.check());
    EXPECT_TRUE(monitor.check());
  }
  const ProgressWatchdog::Reading next(&watchdog);
  for (int n = 0; n < 5; ++n) EXPECT_FALSE(monitor.check());
}

TEST(WatchdogMonitor, AThreadThatSendsOwesItsFrameOnlyToAReceiverThatWantsIt) {
  ProgressWatchdog watchdog;
  WatchdogMonitor monitor(watchdog, 2);
  {
    const ProgressWatchdog::Sending send(&watchdog);
    for (int n = 0; n < 5; ++n) EXPECT_FALSE(monitor.check());
    watchdog.receiver_waits(true);
    EXPECT_FALSE(monitor.check());
    EXPECT_TRUE(monitor.check());
    watchdog.receiver_waits(false);
    for (int n = 0; n < 5; ++n) EXPECT_FALSE(monitor.check());
  }
  const ProgressWatchdog::Reading take(&watchdog);
  watchdog.receiver_waits(true);
  for (int n = 0; n < 5; ++n) EXPECT_FALSE(monitor.check()) << "a thread that reads a frame has none to send";
}

TEST(WatchdogMonitor, HelperThreadsHaveWorkPendingUntilAllIsDone) {
  ProgressWatchdog watchdog;
  WatchdogMonitor monitor(watchdog, 2);
  const ProgressWatchdog::Reading take(&watchdog);
  watchdog.expect();
  watchdog.expect();
  watchdog.done();
  EXPECT_FALSE(monitor.check());
  EXPECT_FALSE(monitor.check());
  EXPECT_TRUE(monitor.check());
  {
    const ProgressWatchdog::Pause waits(&watchdog);
    for (int n = 0; n < 5; ++n) EXPECT_FALSE(monitor.check());
    watchdog.announce_frame();
    EXPECT_FALSE(monitor.check()) << "who reads does not wait for that";
    EXPECT_TRUE(monitor.check());
  }
  watchdog.reset();
  for (int n = 0; n < 5; ++n) EXPECT_FALSE(monitor.check());
}

/// A swarm of one remote wafer with a given behavior; `silence` is 0.5 s, so 5 s without progress are a hang.
struct Still : testing::Test {
  compiler::Plan plan = fake_plan();
  memoryx::MemoryX memoryx{plan, {}};
  SwarmOptions options = fake_swarm(plan, 1, 2, 4, 0);
  FirstFailure there;
  std::atomic<int> stood = 0;
  std::mutex mutex;
  std::string why, log;
  Still() {
    let_join(options, 0);
    options.silence = 500ms;
    options.timeout = 20s;
    options.say = [this](const std::string& line) {
      const std::lock_guard lock(mutex);
      log += line + "\n";
    };
  }
  std::jthread join(const Swarm& swarm, const FakeBehaviour& behaviour) {
    MemberOptions member = member_of(swarm, options, 0);
    member.make_wafer = [this, behaviour](int) { return make_fake_wafer(plan, behaviour); };
    member.join.timeout = 2s;  // for a root that has ended
    member.join.on_hang = [this](const std::string& text) {
      {
        const std::lock_guard lock(mutex);
        why = text;
      }
      ++stood;
    };
    return start_member(there, std::move(member));
  }
};

TEST_F(Still, AThreadThatHangsIsReportedToTheRootAndToWhoHasToEndTheProcess) {
  std::jthread hung, another;
  Swarm swarm(plan, options);
  hung = join(swarm, {.sleeps_after = 4, .sleep = 9s, .counts_progress = true, .hangs = true});
  while (swarm.status().connected_wafers() == 0) std::this_thread::sleep_for(1ms);
  std::jthread replaces([&] {
    while (stood == 0) std::this_thread::sleep_for(1ms);
    another = join(swarm, {.counts_progress = true});  // as a restarted process
  });
  swarm.step(0, memoryx);
  EXPECT_EQ(stood, 1);
  EXPECT_EQ(swarm.status().wafers.at(0).losses, 1U);
  const std::lock_guard lock(mutex);
  EXPECT_SAYS(why, "wafer 0 has made no progress for 5 s: ");
  EXPECT_SAYS(log, "wafer 0 has made no progress for 5 s: ");
}

/// A thread may be stopped anywhere, also inside the call that sends a frame.
TEST_F(Still, AThreadThatHangsWhileItSendsIsReported) {
  Swarm swarm(plan, options);
  ProgressWatchdog watchdog;
  std::binary_semaphore reported(0);
  std::atomic<bool> over = false;
  JoinOptions join = join_of(swarm, options);
  join.timeout = 2s;
  join.leave = [&] { return over || stood > 0; };  // a real process ends when its thread hangs
  join.on_hang = [&](const std::string& text) {
    why = text;
    ++stood;  // after `why`, which the waiting thread reads next
    reported.release();
  };
  const MemberRole role{.role = "wafer",
                        .name = "wafer 0",
                        .next = "the node",
                        .work =
                            [&](const compiler::Plan&, Wire&) {
                              const ProgressWatchdog::Sending send(&watchdog);
                              reported.acquire();
                            },
                        .last_words = {},
                        .watchdog = &watchdog};
  const std::jthread member = guarded_thread(there, [&] { run_member_session(join, role); });
  for (const auto end = std::chrono::steady_clock::now() + 20s; stood == 0 && std::chrono::steady_clock::now() < end;)
    std::this_thread::sleep_for(1ms);
  EXPECT_EQ(stood, 1);
  over = true;
  reported.release();  // also where nothing was reported: the member's thread ends
  EXPECT_SAYS(why, "wafer 0 has made no progress for 5 s: ");
}

TEST_F(Still, OneThatGetsOnSlowlyIsWaitedFor) {
  std::jthread slow;
  Swarm swarm(plan, options);
  slow = join(swarm, {.sleeps_after = 4, .sleep = 6s, .counts_progress = true});
  EXPECT_EQ(swarm.step(0, memoryx).repeated, 0U);
  EXPECT_EQ(stood, 0);
}

TEST_F(Still, OneThatCannotSayIsWaitedFor) {
  std::jthread slow;
  Swarm swarm(plan, options);
  slow = join(swarm, {.sleeps_after = 4, .sleep = 6s});
  EXPECT_EQ(swarm.step(0, memoryx).repeated, 0U);
  EXPECT_EQ(stood, 0);
}

/// The system's error is reported, not a hang.
TEST_F(Still, AThreadThatCannotBeStartedDoesNotHang) {
  pthread_attr_t usual, huge;
  ASSERT_EQ(pthread_getattr_default_np(&usual), 0);
  ASSERT_EQ(pthread_getattr_default_np(&huge), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&huge, std::size_t{1} << 50), 0);
  Swarm swarm(plan, options);
  MemberOptions member = member_of(swarm, options, 0);
  member.join.say = [&](const std::string& line) {  // the thread is started after the message "has joined"
    EXPECT_SAYS(line, "wafer 0 has joined ");
    pthread_setattr_default_np(&huge);
  };
  member.join.on_hang = [this](const std::string&) { ++stood; };
  EXPECT_THROW(run_member(member), std::system_error);
  pthread_setattr_default_np(&usual);
  EXPECT_EQ(stood, 0);
}

TEST_F(Still, OneThatHasNothingToDoIsKept) {
  std::jthread idle;
  Swarm swarm(plan, options);
  idle = join(swarm, {.counts_progress = true});
  swarm.step(0, memoryx);
  std::this_thread::sleep_for(6s);
  EXPECT_EQ(swarm.step(1, memoryx).repeated, 0U);
  EXPECT_EQ(stood, 0);
  EXPECT_EQ(swarm.status().wafers.at(0).losses, 0U);
}

}  // namespace
}  // namespace weft::swarmx
