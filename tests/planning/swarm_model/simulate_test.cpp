/// Steps of the simulated swarm whose duration a formula gives.
#include <gtest/gtest.h>

#include "tests/planning/swarm_model/some_work.hpp"

namespace weft::planning::swarm_model {
namespace {

TEST(ModelStep, IsTheWafersTimeWhereNothingElseTakesAny) {
  EXPECT_DOUBLE_EQ(step(machine(), 1, 1), 4);
  EXPECT_DOUBLE_EQ(step(machine(), 1, 6), 24);
  EXPECT_DOUBLE_EQ(step(machine(), 6, 6), 4);
  EXPECT_DOUBLE_EQ(step(machine(), 4, 6), 8) << "two passes, the second of two wafers";
  EXPECT_DOUBLE_EQ(step(machine(), 100, 6), 4) << "most have nothing to do";
}

TEST(ModelStep, SlowLinkIsBoundByItsBytes) {
  Machine m = machine();
  m.bandwidth = 10;  // 10 s per op, while the wafer takes 1 s
  EXPECT_NEAR(step(m, 1, 1), 40 + 1 + 8, 1e-9) << "the last op's second, and its gradient's way up";
  EXPECT_NEAR(step(m, 4, 4), 40 + 1 + 8, 1e-9) << "each child has a link";
  EXPECT_NEAR(step(m, 1, 10), 400 + 1 + 8, 1e-9) << "a pass's gradients go up while the next comes down";
}

/// Pieces pass through the levels in a pipeline: a level adds the time of one piece downward and of one bucket upward.
/// The link of a wafer carries 8 bytes per value, as those of the root do if its children are nodes.
TEST(ModelStep, WaferWithGroupsOfRowsSendsASum) {
  Work alone = work(4);
  for (WorkOp& op : alone) op.down = 10;
  Work groups = alone;
  for (WorkOp& op : groups) op.sum = true;
  Machine m = machine();
  m.bandwidth = 10;
  m.fanout = 4;
  const auto seconds = [&](const Work& work, int wafers) {
    return simulate(work, m, {.wafers = wafers, .micro_batches = 40 * wafers}).step;
  };
  EXPECT_NEAR(seconds(alone, 1) / (40 * 160 / 10), 1, 0.05);
  EXPECT_NEAR(seconds(groups, 1) / (40 * 320 / 10), 1, 0.05);
  EXPECT_NEAR(seconds(groups, 8) / seconds(alone, 8), 1, 0.05);
}

TEST(ModelStep, TreeIsPipelined) {
  Machine m = machine();
  m.bandwidth = 10, m.latency = 0.125, m.fanout = 2;
  const double one = step(m, 2, 2), levels3 = step(m, 8, 8);
  EXPECT_NEAR(one, 40 + 1 + 8 + 3 * 0.125, 1e-9) << "down, the wafer, up";
  const double waits = 16 - 10;  // the second sum: twice as many bytes take 16 s, longer than the gradients' interval
  EXPECT_NEAR(levels3 - one, 2 * (10 + 0.125) + 2 * (16 + 0.125) + waits, 1e-9);
  m.piece = 25;  // a quarter of an op
  EXPECT_NEAR(step(m, 8, 8), 40 + 1 + 2 * 2.5 + 8 + 2 * 16 + waits + 7 * 0.125, 1e-9);
}

TEST(ModelStep, BusyNodeIsBoundByItsThread) {
  Machine m = machine();
  m.costs.send = 0.01;  // 1 s per op and child
  EXPECT_NEAR(step(m, 3, 3, 8), 8 * 3 + 1, 1e-9) << "three children a second each, and the last op";
  m = machine();
  m.costs.add = 0.05;  // 4 s per gradient and child
  EXPECT_NEAR(step(m, 3, 3, 8), 5 + 4 * 3 * 4, 1e-9) << "the first gradient is there at 5 s";
  m.fanout = 9;
  EXPECT_NEAR(step(m, 9, 9, 8), 5 + 4 * 9 * 4, 1e-9);
  m.fanout = 3;  // three nodes, whose sums have twice as many bytes
  EXPECT_LT(step(m, 9, 9, 8), 5 + 4 * 9 * 4);
}

/// The gradients are ready at 3 and 4 s, and a thread needs 4 s for each.
TEST(ModelStep, MemberIsBoundByItsGradientThreads) {
  Machine m = machine();
  m.costs.encode = 0.05;
  EXPECT_NEAR(step(m, 1, 1), 3 + 2 * 4, 1e-9);
  m.costs.encode = 0, m.costs.pass = 0.05;
  EXPECT_NEAR(step(m, 1, 1), 3 + 2 * 4, 1e-9);
  m.fanout = 2;
  EXPECT_NEAR(step(m, 4, 4), 3 + 4 + 2 * 8, 1e-9) << "nodes pass twice as much on, the first while the second comes";
}

TEST(ModelStep, MakesFramesOnceAndSendsThemEachPass) {
  Machine m = machine();
  m.costs.make = 0.02;  // 2 s per op, while the wafer takes 1 s
  EXPECT_NEAR(step(m, 1, 1), 4 * 2 + 1, 1e-9);
  EXPECT_NEAR(step(m, 1, 2), 4 * 2 + 1 + 4, 1e-9);
  m.costs.make = 0, m.costs.again = 0.02;
  EXPECT_NEAR(step(m, 1, 2), 2 * 4 * 2 + 1, 1e-9);
}

TEST(ModelStep, HasItsUpdateAfterItOrDuringTheNext) {
  Machine m = machine();
  m.costs.update = 0.05;  // half a second per op
  EXPECT_NEAR(step(m, 1, 1), 4 + 4 * 0.5, 1e-9);
  m.settles = false;
  EXPECT_NEAR(step(m, 1, 1), 4 + 0.5, 1e-9) << "the first op waits for its own, the others come sooner";
  m.costs.update = 0.3;
  EXPECT_NEAR(step(m, 1, 1), 4 * 3 + 1, 1e-9) << "an update of 3 s an op is what all wait for";
}

/// All processes share two processors: a step takes at least half of the total processor time.
TEST(ModelStep, OnOneHostSharesItsProcessors) {
  Machine m = machine();
  m.shared = true, m.cores = 2, m.fanout = 100, m.costs.decode = 0.02;  // 2 s per op and wafer
  const Outcome few = simulate(work(4), m, {.wafers = 2, .micro_batches = 16}),
                many = simulate(work(4), m, {.wafers = 16, .micro_batches = 16});
  EXPECT_NEAR(few.processor, 16 * 4 * 2.0, 1e-6);
  EXPECT_NEAR(many.processor, 16 * 4 * 2.0, 1e-6);
  EXPECT_NEAR(many.step, 64 + 1, 1e-9) << "and the last op's second";
  m.shared = false;
  EXPECT_NEAR(simulate(work(4), m, {.wafers = 16, .micro_batches = 16}).step, 8 + 1, 1e-9);
}

}  // namespace
}  // namespace weft::planning::swarm_model
