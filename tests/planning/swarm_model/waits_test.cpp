/// Waits between processes in the simulated swarm.
#include <gtest/gtest.h>

#include "tests/planning/swarm_model/some_work.hpp"

namespace weft::planning::swarm_model {
namespace {

/// With a window of one, each piece is sent once the previous one has been taken, one latency after it was sent.
TEST(ModelStep, WaitsForRoomAtTheChild) {
  Machine m = machine();
  m.bandwidth = 10, m.latency = 1;
  EXPECT_NEAR(step(m, 1, 1), 40 + 1 + (1 + 1) + (8 + 1), 1e-9);
  m.window = 1;
  EXPECT_NEAR(step(m, 1, 1), 4 * (10 + 1) + (1 + 1) + (8 + 1), 1e-9);
}

/// The first op of a micro-batch is decoded after the last op of the previous one has been computed; the others
/// meanwhile.
TEST(ModelStep, HasAPauseOfAWaferBetweenMicroBatches) {
  Machine m = machine();
  m.costs.decode = 0.0025;  // a quarter of a second
  EXPECT_NEAR(step(m, 1, 1), 4.25, 1e-9);
  EXPECT_NEAR(step(m, 1, 3), 3 * 4.25, 1e-9);
}

/// The first op takes 20 s, and the others wait for the wafer's thread, which decodes each in 5 s and is blocked with
/// the third until the first is computed.
TEST(ModelStep, GivesAWaferTwoOpsAtOnce) {
  Machine m = machine();
  m.costs.decode = 0.05;
  Work work(5, {.down = 100, .messages = 100, .seconds = 1});
  work[0].seconds = 20;
  EXPECT_NEAR(simulate(work, m, {}).step, 5 + 20 + 5 + 5 + 1, 1e-9);
}

/// Through eight levels: passes 0 to 7 are sent at once and computed in one second each, and the ninth begins when the
/// first has returned, at 8 + 1 + 8 s.
TEST(ModelStep, HasEightRoundsUnderWay) {
  Machine m = machine();
  m.fanout = 2, m.latency = 1, m.window = 1000;
  const Work work(1, {.down = 100, .seconds = 0});  // the end is seen a second later
  EXPECT_NEAR(simulate(work, m, {.wafers = 256, .micro_batches = 8 * 256}).step, 8 + 8 + 8, 1e-9);
  EXPECT_NEAR(simulate(work, m, {.wafers = 256, .micro_batches = 16 * 256}).step, 17 + 8 + 8 + 8, 1e-9);
}

}  // namespace
}  // namespace weft::planning::swarm_model
