/// Leaving a swarm that waits for wafers: its processes are notified of the end, and MemoryX is as before the step.
#include <gtest/gtest.h>

#include <atomic>

#include "host/swarmx/base/error.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/remote.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

TEST(Leave, ASwarmWithTooFewWafersEndsAsOneThatIsWhole) {
  const compiler::Plan plan = fake_plan();
  memoryx::MemoryX memoryx(plan, {}), undisturbed(plan, {});
  Swarm(plan, fake_swarm(plan, 2, 2, 4, 0)).step(0, undisturbed);

  SwarmOptions options = fake_swarm(plan, 2, 2, 4, 0);
  let_join(options, 0);
  options.min_csx = 2;
  options.timeout = 600s;
  std::atomic<bool> leaves = false;
  options.leave = [&] { return leaves.load(); };
  options.say = [&](const std::string& line) {
    if (line == "wafer 0 has joined") leaves = true;
  };
  FirstFailure failure;
  std::jthread wafer;
  {
    Swarm swarm(plan, options);
    MemberOptions member = member_of(swarm, options, 0);
    member.join.timeout = 5s;  // in case the root sends no notification
    wafer = start_member(failure, std::move(member));
    EXPECT_THROW(swarm.step(0, memoryx), WaitEnded);
  }
  wafer.join();
  failure.check();
  Swarm(plan, fake_swarm(plan, 2, 2, 4, 0)).step(0, memoryx);
  EXPECT_EQ(memoryx.hash(), undisturbed.hash());
}

}  // namespace
}  // namespace weft::swarmx
