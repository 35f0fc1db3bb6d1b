/// Caching of a stream's frames, which no receiver can notice.
#include "host/swarmx/root/stream.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "host/swarmx/memory/local.hpp"
#include "host/swarmx/protocol/op_frames.hpp"

namespace weft::swarmx {
namespace {

constexpr std::uint64_t kWeights = 4'000'000;

/// Ops of a tensor's 4M weights each, 8 MB as frames.
compiler::Plan large_plan(int ops) {
  compiler::Plan plan;
  plan.tensors = {{"a", {static_cast<int>(kWeights)}, 0, kWeights, false, 0.02F, 0}};
  plan.parameters = kWeights;
  plan.ops.resize(static_cast<std::size_t>(ops));
  for (compiler::Op& op : plan.ops) {
    op.tensors = {0};
    for (std::uint64_t k = 0; k < kWeights; ++k) op.commands.push_back({0, k});
  }
  plan.forward_ops = plan.ops.size();
  return plan;
}

TEST(Stream, KeepsWhatIsSmallAndRegeneratesTheRest) {
  const compiler::Plan plan = large_plan(3);
  memoryx::MemoryX memoryx(plan, {});
  LocalMemoryXClient memory(plan, memoryx);
  Stream stream(plan);
  std::vector<Bytes> sent[2];
  for (std::vector<Bytes>& all : sent) {
    stream.begin_step(true);
    for (std::size_t op = 0; op < 3; ++op) {
      stream.op(op, memory, [&](const Frame& frame) { all.emplace_back(frame.bytes().begin(), frame.bytes().end()); });
    }
    EXPECT_GT(stream.cached_bytes(), 8000000U) << "the first op";
    EXPECT_LE(stream.cached_bytes(), Stream::kKept);
  }
  EXPECT_EQ(sent[0].size(), 3U * ((kWeights - 1) / kMostWeights + 1));
  EXPECT_TRUE(sent[0] == sent[1]);
}

TEST(Stream, OnlyRegeneratedMessagesWaitForWeights) {
  compiler::Plan plan = large_plan(1);
  memoryx::MemoryX memoryx(plan, {});
  LocalMemoryXClient memory(plan, memoryx);
  StepClock::Time now{};
  StepClock clock([&now] { return now += std::chrono::seconds(1); });  // each call takes a second
  Stream stream(plan, &clock);
  stream.begin_step(true);
  const auto waited = [&] {
    stream.op(0, memory, [](const Frame&) {});
    return clock.take()[Part::Update];
  };
  EXPECT_EQ(waited(), 1);
  EXPECT_EQ(waited(), 0);
}

TEST(Stream, KeepsForEverWhatHasNoWeights) {
  compiler::Plan plan = large_plan(1);
  plan.ops.emplace_back().commands = {{7, compiler::StreamEntry::kLiteral}};
  memoryx::MemoryX memoryx(plan, {});
  LocalMemoryXClient memory(plan, memoryx);
  Stream stream(plan);
  int frames = 0;
  for (const std::size_t op : {1U, 0U}) stream.op(op, memory, [&](const Frame&) { ++frames; });
  EXPECT_EQ(stream.cached_bytes(), kOpHeader) << "nobody has said that weights are asked for again";
  stream.begin_step(true);
  EXPECT_EQ(stream.cached_bytes(), kOpHeader);
  EXPECT_GT(frames, 2);
}

TEST(Stream, ForgetsWeightsThatHaveChanged) {
  const compiler::Plan plan = large_plan(1);
  memoryx::MemoryX memoryx(plan, {});
  LocalMemoryXClient memory(plan, memoryx);
  Stream stream(plan);
  Bytes last[2];
  for (Bytes& bytes : last) {
    stream.begin_step(true);
    for (int pass = 0; pass < 2; ++pass)
      stream.op(0, memory, [&](const Frame& frame) { bytes.assign(frame.bytes().begin(), frame.bytes().end()); });
    EXPECT_GT(stream.cached_bytes(), 0U);
    memoryx.store().weights()[kWeights - 1] = 2;
  }
  EXPECT_FALSE(last[0] == last[1]);
  stream.begin_step(true);
  EXPECT_EQ(stream.cached_bytes(), 0U);
}

}  // namespace
}  // namespace weft::swarmx
