/// A slow wafer of another process is named, gets no work that others wait for, and changes no bit.
#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <string>
#include <thread>

#include "sw/base/failure.hpp"
#include "tests/says.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/remote.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST(SlowWafer, IsNamedAndHoldsNobodyBack) {
  const compiler::Plan plan = fake_plan();
  memoryx::MemoryX memoryx(plan, {});
  SwarmOptions options = fake_swarm(plan, 3, 2, 6, 0);
  let_join(options, 0);
  FirstFailure there;
  std::vector<std::jthread> others;  // these end after the swarm
  Swarm swarm(plan, options);
  for (int id = 0; id < 3; ++id) {
    MemberOptions member = member_of(swarm, options, id);
    const auto each = id == 2 ? 50ms : 0ms;
    member.make_wafer = [&plan, each](int) { return make_fake_wafer(plan, {.each = each, .counts_progress = true}); };
    others.push_back(start_member(there, member));
  }
  std::uint64_t steps = 0;
  const auto named = [&] { return swarm.status().wafers[2].state == RankStatus::State::Slow; };
  swarm.step(steps++, memoryx);
  const Clock::time_point begin = Clock::now();
  while (!named() && Clock::now() - begin < 20s) swarm.step(steps++, memoryx);
  EXPECT_LT(Clock::now() - begin, 5s);
  ASSERT_TRUE(named());
  const auto cause = [&] { return swarm.status().wafers[2].why; };
  while (cause().find("its compute is busy") == std::string::npos && Clock::now() - begin < 20s)
    swarm.step(steps++, memoryx);  // trials go on, and reports arrive
  EXPECT_SAYS(cause(), "its compute is busy");
  EXPECT_EQ(swarm.status().slow_ranks().size(), 1U);
  const std::uint64_t before = swarm.status().wafers[2].done;
  for (int n = 0; n < 20; ++n) swarm.step(steps++, memoryx);
  EXPECT_LT(swarm.status().wafers[2].done - before, 12U) << "trials; its share would be 40";
  EXPECT_EQ(swarm.status().connected_wafers(), 3U);
  there.check();

  memoryx::MemoryX undisturbed(plan, {});
  Swarm alone(plan, fake_swarm(plan, 1, 2, 6, 0));
  for (std::uint64_t step = 0; step < steps; ++step) alone.step(step, undisturbed);
  EXPECT_EQ(memoryx.hash(), undisturbed.hash());
}

/// The log names rank, host and cause in one line, and the wafer is held back although it joins again at once.
TEST(SlowWafer, IsDisconnectedAndHeldBackIfItStaysSlow) {
  const compiler::Plan plan = fake_plan();
  memoryx::MemoryX memoryx(plan, {});
  SwarmOptions options = fake_swarm(plan, 3, 2, 6, 0);
  let_join(options, 0);
  options.silence = 500ms;  // slow for ten times as long
  std::mutex mutex;
  std::string line;
  options.say = [&](const std::string& text) {
    const std::lock_guard lock(mutex);
    if (text.find("stays slow") != std::string::npos) line = text;
  };
  FirstFailure there;
  std::vector<std::jthread> others;  // these end after the swarm
  Swarm swarm(plan, options);
  for (int id = 0; id < 3; ++id) {
    MemberOptions member = member_of(swarm, options, id);
    const auto each = id == 2 ? 100ms : 0ms;
    member.make_wafer = [&plan, each](int) { return make_fake_wafer(plan, {.each = each, .counts_progress = true}); };
    others.push_back(start_member(there, member));
  }
  const auto said = [&] {
    const std::lock_guard lock(mutex);
    return line;
  };
  std::uint64_t steps = 0;
  for (const auto begin = Clock::now(); said().empty() && Clock::now() - begin < 60s;) swarm.step(steps++, memoryx);
  EXPECT_SAYS(said(), "wafer 2 is lost: ");
  EXPECT_SAYS(said(), "on 127.0.0.1, it stays slow: ");
  EXPECT_SAYS(said(), "a micro-batch takes ");
  for (const auto begin = Clock::now(); Clock::now() - begin < 1s;) swarm.step(steps++, memoryx);
  EXPECT_EQ(swarm.status().wafers[2].state, RankStatus::State::Lost);
  there.check();
}

}  // namespace
}  // namespace weft::swarmx
