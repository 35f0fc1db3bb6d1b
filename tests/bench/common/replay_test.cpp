/// The benchmark's run with meaningless values: its wafer and memory follow the protocol.
#include "bench/common/replay.hpp"

#include <gtest/gtest.h>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/root/swarm.hpp"

namespace weft::bench {
namespace {

std::uint64_t trained(const compiler::Plan& plan, bool eager, std::uint32_t micro_batches) {
  auto store = make_replay_store(plan, {});
  store->begin_replay();
  memoryx::MemoryX memoryx(plan, {.eager = eager}, std::move(store));
  swarmx::Swarm swarm(plan, {.micro_batches = micro_batches,
                             .make_wafer = [&](int) { return make_replay_wafer(plan, {}); },
                             .get = [&](const swarmx::BatchRequest&) { return replay_batch(plan); }});
  for (std::uint64_t step = 0; step < 3; ++step) swarm.step(step, memoryx, [&] { memoryx.finish_update(); });
  return memoryx.hash();
}

TEST(Replay, TrainsWithTheSameBitsEarlyOrLate) {
  const compiler::Plan plan = replay_plan(5);
  EXPECT_EQ(trained(plan, true, 1), trained(plan, false, 1));
  EXPECT_EQ(trained(plan, true, 3), trained(plan, false, 3));
}

TEST(Replay, TellsOfEachOpThatHasMessages) {
  const compiler::Plan plan = replay_plan(3);
  int calls = 0;
  memoryx::MemoryX memoryx(plan, {});
  {
    swarmx::Swarm swarm(plan,
                        {.make_wafer = [&](int) { return make_replay_wafer(plan, {}, [&](auto, auto) { ++calls; }); },
                         .get = [&](const swarmx::BatchRequest&) { return replay_batch(plan); }});
    swarm.step(0, memoryx);
  }
  EXPECT_EQ(calls, 3 * 3);
}

}  // namespace
}  // namespace weft::bench
