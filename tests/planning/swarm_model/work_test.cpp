/// A micro-batch of a compiled plan as input of the swarm model.
#include "host/planning/swarm_model/work.hpp"

#include <gtest/gtest.h>

#include "host/swarmx/protocol/pass_returns.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "tests/swarmx/small_plan.hpp"

namespace weft::planning::swarm_model {
namespace {

TEST(ModelWork, HasAllThatAPlanSendsAndReturns) {
  const compiler::Plan plan = swarmx::small_plan();
  const std::vector<double> seconds(plan.ops.size(), 0.5);
  const Work work = work_of(plan, seconds);
  ASSERT_EQ(work.size(), plan.ops.size());
  std::uint64_t messages = 0, weights = 0, words = 0;
  for (const compiler::Op& op : plan.ops) {
    messages += compiler::message_count(op);
    if (op.descriptor.values == compiler::StreamDescriptor::Values::Weights && !op.descriptor.empty())
      weights += compiler::message_count(op) - op.commands.size() - 1;
    if (op.returns == compiler::Returns::Gradient) words += swarmx::gradient_words(op);
  }
  const WorkOp all = total(work);
  EXPECT_EQ(all.down, 2 * static_cast<double>(weights));
  EXPECT_EQ(all.messages, static_cast<double>(messages));
  EXPECT_EQ(all.up, 4 * static_cast<double>(words) + 16) << "and a loss: its sum, and tokens";
  EXPECT_EQ(all.seconds, 0.5 * static_cast<double>(plan.ops.size()));
  EXPECT_EQ(all.parameters, static_cast<double>(plan.parameters)) << "each is read, and counts once";
}

TEST(ModelWork, GroupsOfRowsReturnTheirSum) {
  compiler::Plan plan = swarmx::small_plan();
  const std::vector<double> seconds(plan.ops.size());
  const WorkOp of_one = total(work_of(plan, seconds));
  EXPECT_FALSE(of_one.sum);
  plan.wafer.row_groups = 2;
  const Work work = work_of(plan, seconds);
  EXPECT_TRUE(total(coarse(work, 1)).sum);
  EXPECT_EQ(total(work).up, of_one.up) << "of a group";
}

TEST(ModelWork, ForwardAloneReturnsALoss) {
  const compiler::Plan plan = swarmx::small_plan();
  const Work work = work_of(plan, std::vector<double>(plan.ops.size(), 0.5), false);
  EXPECT_EQ(work.size(), plan.forward_ops);
  EXPECT_EQ(total(work).up, 16);
}

TEST(ModelWork, StaysTheSameInAllWhenItIsCoarse) {
  Work work;
  for (int k = 0; k < 10; ++k) work.push_back({.down = 1.0 + k, .seconds = 2, .up = k % 2 * 8.0, .parameters = 4});
  const Work few = coarse(work, 4);
  ASSERT_EQ(few.size(), 4U);
  EXPECT_EQ(few[0].down, 1 + 2);
  EXPECT_EQ(few[1].down, 3 + 4 + 5);
  EXPECT_EQ(total(few).down, total(work).down);
  EXPECT_EQ(total(few).up, total(work).up);
  EXPECT_EQ(total(few).seconds, 20);
  EXPECT_EQ(total(few).parameters, 40);
  EXPECT_EQ(coarse(work, 100).size(), 10U);
}

}  // namespace
}  // namespace weft::planning::swarm_model
