/// Properties of any step of the simulated swarm.
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "tests/planning/swarm_model/some_work.hpp"

namespace weft::planning::swarm_model {
namespace {

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
  for (const int wafers : {1, 2, 4}) {  // without an additional level
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

TEST(ModelStep, ManyPassesFollowFromFewer) {
  Machine m = machine();
  m.bandwidth = 37, m.latency = 0.01,
  m.costs = {.make = 1e-3, .send = 2e-3, .decode = 3e-3, .add = 1e-3, .update = 1e-2};
  const int micro_batches = 5 * 60 + 3;
  const double whole = step(m, 5, micro_batches);
  EXPECT_NEAR(step_seconds(work(4), m, 5, micro_batches), whole, 1e-9 * whole);
  EXPECT_DOUBLE_EQ(step_seconds(work(4), m, 5, 12), step(m, 5, 12));
}

TEST(ModelStep, InvalidInputIsRejected) {
  EXPECT_THROW(simulate({}, machine(), {}), std::invalid_argument);
  EXPECT_THROW(step(machine(), 0, 1), std::invalid_argument);
  Machine m = machine();
  m.window = 0;
  EXPECT_THROW(step(m, 1, 1), std::invalid_argument);
}

}  // namespace
}  // namespace weft::planning::swarm_model
