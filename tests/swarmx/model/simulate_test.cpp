/// Steps of the simulated swarm where a formula says what they take.
#include "host/swarmx/model/simulate.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace weft::swarm_model {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

/// Costs nothing but what a test adds.
Machine machine() { return {.cores = 64, .bandwidth = kEndless, .latency = 0, .settles = true, .costs = {}}; }

/// Ops of a second each, of 100 bytes, the second half of which return 80.
Work work(std::size_t ops) {
  Work all(ops, {.down = 100, .seconds = 1, .parameters = 10});
  for (std::size_t op = ops / 2; op < ops; ++op) all[op].up = 80;
  return all;
}

double step(const Machine& m, int wafers, int micro_batches, std::size_t ops = 4) {
  return simulate(work(ops), m, {.wafers = wafers, .micro_batches = micro_batches}).step;
}

TEST(ModelStep, IsTheWafersTimeWhereNothingElseTakesAny) {
  EXPECT_DOUBLE_EQ(step(machine(), 1, 1), 4);
  EXPECT_DOUBLE_EQ(step(machine(), 1, 6), 24);
  EXPECT_DOUBLE_EQ(step(machine(), 6, 6), 4);
  EXPECT_DOUBLE_EQ(step(machine(), 4, 6), 8) << "two rounds, the second of two wafers";
  EXPECT_DOUBLE_EQ(step(machine(), 100, 6), 4) << "most have nothing to do";
}

TEST(ModelStep, OfASlowLinkIsThatOfItsBytes) {
  Machine m = machine();
  m.bandwidth = 10;  // 10 s an op, while the wafer takes 1
  EXPECT_NEAR(step(m, 1, 1), 40 + 1 + 8, 1e-9) << "the last op's second, and its gradient's way up";
  EXPECT_NEAR(step(m, 4, 4), 40 + 1 + 8, 1e-9) << "each child has a link";
  EXPECT_NEAR(step(m, 1, 10), 400 + 1 + 8, 1e-9) << "a round's gradients go up while the next comes down";
}

/// Pieces follow one another through the levels: a level adds one piece's time on the way down and one slot's up.
TEST(ModelStep, OfATreeIsPipelined) {
  Machine m = machine();
  m.bandwidth = 10, m.latency = 0.125, m.fanout = 2;
  const double one = step(m, 2, 2), levels3 = step(m, 8, 8);
  EXPECT_NEAR(one, 40 + 1 + 8 + 3 * 0.125, 1e-9) << "down, the wafer, up";
  EXPECT_NEAR(levels3 - one, 2 * (10 + 0.125) + 2 * (8 + 0.125), 1e-9);
  m.piece = 25;  // an op in four
  EXPECT_NEAR(step(m, 8, 8), 40 + 1 + 2 * 2.5 + 3 * 8 + 7 * 0.125, 1e-9);
}

/// Each piece is sent when the one before was taken, a latency after it was sent.
TEST(ModelStep, WaitsForRoomAtTheChild) {
  Machine m = machine();
  m.bandwidth = 10, m.latency = 1;
  EXPECT_NEAR(step(m, 1, 1), 40 + 1 + (1 + 1) + (8 + 1), 1e-9);
  m.window = 1;
  EXPECT_NEAR(step(m, 1, 1), 4 * (10 + 1) + (1 + 1) + (8 + 1), 1e-9);
}

/// The first op of a micro-batch is decoded when the last of the one before has been computed; the others meanwhile.
TEST(ModelStep, HasAPauseOfAWaferBetweenMicroBatches) {
  Machine m = machine();
  m.costs.decode = 0.0025;  // a quarter of a second
  EXPECT_NEAR(step(m, 1, 1), 4.25, 1e-9);
  EXPECT_NEAR(step(m, 1, 3), 3 * 4.25, 1e-9);
}

TEST(ModelStep, OfABusyNodeIsThatOfItsThread) {
  Machine m = machine();
  m.costs.send = 0.01;  // 1 s for an op and child
  EXPECT_NEAR(step(m, 3, 3, 8), 8 * 3 + 1, 1e-9) << "three children a second each, and the last op";
  m = machine();
  m.costs.add = 0.05;  // 4 s a gradient and child
  EXPECT_NEAR(step(m, 3, 3, 8), 5 + 4 * 3 * 4, 1e-9) << "the first gradient is there at 5 s";
  m.fanout = 2;  // two nodes, of 1 and 2 wafers: a sum needs both
  EXPECT_LT(step(m, 3, 3, 8), 5 + 4 * 3 * 4);
}

TEST(ModelStep, HasItsUpdateBehindItOrBesideTheNext) {
  Machine m = machine();
  m.costs.update = 0.05;  // half a second an op
  EXPECT_NEAR(step(m, 1, 1), 4 + 4 * 0.5, 1e-9);
  m.settles = false;
  EXPECT_NEAR(step(m, 1, 1), 4 + 0.5, 1e-9) << "the first op waits for its own, the others come sooner";
  m.costs.update = 0.3;
  EXPECT_NEAR(step(m, 1, 1), 4 * 3 + 1, 1e-9) << "an update of 3 s an op is what all wait for";
}

/// All processes on two processors: a step takes at least half of all that is to be worked.
TEST(ModelStep, OnOneHostSharesItsProcessors) {
  Machine m = machine();
  m.shared = true, m.cores = 2, m.fanout = 100, m.costs.decode = 0.02;  // 2 s an op and wafer
  const Outcome few = simulate(work(4), m, {.wafers = 2, .micro_batches = 16}),
                many = simulate(work(4), m, {.wafers = 16, .micro_batches = 16});
  EXPECT_NEAR(few.processor, 16 * 4 * 2.0, 1e-6);
  EXPECT_NEAR(many.processor, 16 * 4 * 2.0, 1e-6);
  EXPECT_NEAR(many.step, 64 + 1, 1e-9) << "and the last op's second";
  m.shared = false;
  EXPECT_NEAR(simulate(work(4), m, {.wafers = 16, .micro_batches = 16}).step, 8 + 1, 1e-9);
}

TEST(ModelStep, IsTheSameEachTime) {
  Machine m = machine();
  m.bandwidth = 37, m.latency = 0.01, m.costs = {.make = 1e-3, .send = 2e-3, .take = 1e-3, .decode = 3e-3, .add = 1e-3};
  EXPECT_EQ(step(m, 13, 40, 30), step(m, 13, 40, 30));
}

TEST(ModelStep, IsNoLongerWithMoreOfAnything) {
  Machine m = machine();
  m.bandwidth = 40, m.latency = 0.01, m.cores = 1, m.slice = 0.1;
  m.costs = {.make = 1e-3, .send = 1e-3, .take = 1e-3, .decode = 3e-3, .encode = 3e-3, .pass = 1e-3, .add = 1e-3};
  double before = std::numeric_limits<double>::infinity();
  for (const int wafers : {1, 2, 4}) {  // no level is added
    EXPECT_LT(step(m, wafers, 48), before) << wafers;
    before = step(m, wafers, 48);
  }
  const double now = step(m, 16, 48);
  for (double Costs::*cost : {&Costs::make, &Costs::send, &Costs::take, &Costs::decode, &Costs::add}) {
    Machine dearer = m;
    dearer.costs.*cost *= 100;
    EXPECT_GT(step(dearer, 16, 48), now);
  }
  Machine faster = m;
  faster.bandwidth *= 2;
  EXPECT_LE(step(faster, 16, 48), now);
}

TEST(ModelStep, OfManyRoundsFollowsFromFewer) {
  Machine m = machine();
  m.bandwidth = 37, m.latency = 0.01,
  m.costs = {.make = 1e-3, .send = 2e-3, .decode = 3e-3, .add = 1e-3, .update = 1e-2};
  const int micro_batches = 5 * 60 + 3;
  const double whole = step(m, 5, micro_batches);
  EXPECT_NEAR(step_seconds(work(4), m, 5, micro_batches), whole, 1e-9 * whole);
  EXPECT_DOUBLE_EQ(step_seconds(work(4), m, 5, 12), step(m, 5, 12));
}

TEST(ModelStep, OfWhatCannotBeIsRefused) {
  EXPECT_THROW(simulate({}, machine(), {}), std::invalid_argument);
  EXPECT_THROW(step(machine(), 0, 1), std::invalid_argument);
  Machine m = machine();
  m.window = 0;
  EXPECT_THROW(step(m, 1, 1), std::invalid_argument);
}

}  // namespace
}  // namespace weft::swarm_model
