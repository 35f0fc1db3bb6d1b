/// What is kept of a stream's frames, and that nobody can tell.
#include "host/swarmx/stream.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "host/swarmx/contribution.hpp"
#include "host/swarmx/memory/local.hpp"
#include "host/swarmx/payload.hpp"

namespace weft {
namespace {

/// Ops of 2M literals each, 8.25 MB as frames.
Plan large_plan(int ops) {
  Plan plan;
  plan.ops.resize(static_cast<std::size_t>(ops));
  std::uint32_t next = 0;
  for (Op& op : plan.ops) {
    for (int k = 0; k < 2000000; ++k) op.commands.push_back({next++, StreamEntry::kLiteral});
  }
  plan.forward_ops = plan.ops.size();
  return plan;
}

TEST(Stream, KeepsWhatIsSmallAndMakesTheRestAnew) {
  const Plan plan = large_plan(3);
  MemoryX memoryx(plan, {});
  LocalMemory memory(plan, memoryx);
  Stream stream(plan);
  std::vector<Bytes> sent[2];
  for (std::vector<Bytes>& all : sent) {
    stream.begin_step(true);
    for (std::size_t op = 0; op < 3; ++op) {
      stream.op(op, memory, [&](const Frame& frame) { all.emplace_back(frame.bytes().begin(), frame.bytes().end()); });
    }
    EXPECT_GT(stream.kept(), 8000000U) << "the first op";
    EXPECT_LE(stream.kept(), Stream::kKept);
  }
  EXPECT_EQ(sent[0].size(), 3U * ((2000000 - 1) / kPartMessages + 1));
  EXPECT_TRUE(sent[0] == sent[1]);
}

TEST(Stream, OnlyWhatIsMadeAnewWaitsForWeights) {
  Plan plan = large_plan(1);
  plan.ops[0].commands.resize(10);
  MemoryX memoryx(plan, {});
  LocalMemory memory(plan, memoryx);
  StepClock::Time now{};
  StepClock clock([&now] { return now += std::chrono::seconds(1); });  // each look takes a second
  Stream stream(plan, &clock);
  stream.begin_step(true);
  const auto waited = [&] {
    stream.op(0, memory, [](const Frame&) {});
    return clock.take()[Part::Update];
  };
  EXPECT_EQ(waited(), 1);
  EXPECT_EQ(waited(), 0);
}

TEST(Stream, ForgetsWeightsThatHaveChanged) {
  Plan plan = large_plan(1);
  plan.tensors = {{"a", {4}, 0, 4, false, 0, 1}};
  plan.parameters = 4;
  plan.ops[0].tensors = {0};
  plan.ops[0].commands.push_back({0, 3});
  MemoryX memoryx(plan, {});
  LocalMemory memory(plan, memoryx);
  Stream stream(plan);
  Bytes last[2];
  for (Bytes& bytes : last) {
    stream.begin_step(true);
    for (int round = 0; round < 2; ++round)
      stream.op(0, memory, [&](const Frame& frame) { bytes.assign(frame.bytes().begin(), frame.bytes().end()); });
    EXPECT_GT(stream.kept(), 0U);
    memoryx.store().weights()[3] = 2;
  }
  EXPECT_FALSE(last[0] == last[1]);
  stream.begin_step(true);
  EXPECT_EQ(stream.kept(), 0U);
}

}  // namespace
}  // namespace weft
