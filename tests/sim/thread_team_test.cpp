#include "verif/sim/thread_team.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

namespace weft::sim {
namespace {

using namespace std::chrono_literals;

TEST(ThreadTeam, DoesEveryPartOnceInEachRun) {
  for (const int parts : {1, 2, 3, 7}) {
    SCOPED_TRACE(parts);
    std::vector<int> done(static_cast<std::size_t>(parts));  // no atomics: runs order the parts' writes
    ThreadTeam team(parts, [&](int part) { ++done[static_cast<std::size_t>(part)]; });
    for (int run = 1; run <= 2000; ++run) {
      team.run();
      ASSERT_EQ(done, std::vector<int>(static_cast<std::size_t>(parts), run));
    }
  }
}

/// The caller's part ends only after the other parts are done, so helpers must have done them.
std::uint64_t helped_in_one_run(int parts, std::chrono::milliseconds before) {
  std::atomic<int> others = 0;
  ThreadTeam team(parts, [&](int part) {
    if (part > 0) ++others;
    while (part == 0 && others < parts - 1) std::this_thread::yield();
  });
  std::this_thread::sleep_for(before);
  team.run();
  return team.helped();
}

TEST(ThreadTeam, HelpersWorkNextToTheCaller) {
  for (int i = 0; i < 20; ++i) EXPECT_EQ(helped_in_one_run(3, 0ms), 2u);
}

TEST(ThreadTeam, WakesHelpersThatSleep) {
  for (int i = 0; i < 5; ++i) EXPECT_EQ(helped_in_one_run(3, 20ms), 2u);  // longer than a helper polls before it sleeps
}

/// Part 1 is slow in a helper: the caller waits, then works alone for a while, and no run is lost.
TEST(ThreadTeam, WorksAloneBehindAHelperThatHadNoCore) {
  const auto caller = std::this_thread::get_id();
  int done = 0;
  std::atomic<bool> taken = false;
  ThreadTeam team(2, [&](int part) {
    if (part == 0) {
      while (!taken) std::this_thread::yield();  // the first run has a helper
      std::this_thread::sleep_for(1ms);          // in later runs the helper would have time
      return;
    }
    taken = true;
    if (std::this_thread::get_id() != caller) std::this_thread::sleep_for(50ms);
    ++done;
  });
  for (int run = 0; run < 65; ++run) team.run();
  EXPECT_EQ(done, 65);
  EXPECT_EQ(team.helped(), 1u) << "64 runs alone";
}

TEST(ThreadTeam, AnExceptionOfAPartReachesTheCaller) {
  for (const int bad : {0, 1}) {
    ThreadTeam team(2, [bad](int part) {
      if (part == bad) throw std::runtime_error("part");
    });
    EXPECT_THROW(team.run(), std::runtime_error);
  }
}

TEST(ThreadTeam, EndsWhileHelpersSleepOrSpin) {
  for (int i = 0; i < 50; ++i) {
    ThreadTeam team(3, [](int) {});
    if (i % 2 == 0) team.run();
    if (i % 10 == 0) std::this_thread::sleep_for(1ms);
  }
}

}  // namespace
}  // namespace weft::sim
