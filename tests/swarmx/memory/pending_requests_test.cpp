/// Requests to a rank of MemoryX, and their cancellation by later requests.
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <vector>

#include "host/swarmx/memory/op_maker.hpp"
#include "host/swarmx/memory/ranks_state.hpp"
#include "host/swarmx/protocol/op_messages.hpp"
#include "sw/compiler/placement/loads.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "tests/swarmx/small_plan.hpp"

namespace weft::swarmx {
namespace {

/// An op with 14 frames and one with a single frame, of the same tensor.
compiler::Plan large_plan() {
  const auto space = [](int size) {
    return std::make_shared<const compiler::Space>(compiler::Space::interleaved(compiler::heaviest_first(size, {}), 2));
  };
  compiler::Plan plan;
  plan.tensors = {{"a", {1200, 700}, 0, 1200 * 700, false, 0.02F, 0}};
  plan.parameters = 1200 * 700;
  plan.ops.resize(2);
  for (compiler::Op& op : plan.ops) {
    op.tensors = {0};
    const bool all = &op == plan.ops.data();
    op.descriptor.outputs = space(all ? 700 : 7);
    op.descriptor.lines = {{{.space = space(1200), .in_stride = 700, .out_stride = 1}}};
  }
  return plan;
}

TEST(Asking, ForAnotherOpDropsUnwantedRequests) {
  const compiler::Plan plan = large_plan();
  memoryx::MemoryX memoryx(plan, {});
  std::mutex mutex;
  std::condition_variable came;
  std::vector<Frame> frames;
  OpMaker maker(
      plan, memoryx,
      [&](const Frame& frame) {
        const std::lock_guard lock(mutex);
        frames.push_back(frame);
        came.notify_all();
      },
      [] { FAIL(); });
  const auto until = [&](std::size_t count) {
    std::unique_lock lock(mutex);
    return came.wait_for(lock, std::chrono::seconds(60), [&] { return frames.size() >= count; });
  };
  maker.request(1, 0, 8, 1);
  ASSERT_TRUE(until(8));  // then waits for further requests
  maker.request(2, 1, 8, 2);
  ASSERT_TRUE(until(10));  // one frame, and the end
  std::vector<machine::Message> expected, made;
  compiler::expand(plan.ops[1], memoryx.parameters(), expected);
  OpMessages side(plan);
  side.add(frames[8]);
  const machine::StreamPiece* const piece = side.next();
  ASSERT_NE(piece, nullptr);
  piece->make(made);
  EXPECT_EQ(made, expected);
  EXPECT_TRUE(frames[9].bytes().empty());
}

TEST(Asking, SaysWhichRequestIsTheOldestThatIsWanted) {
  const compiler::Plan plan = small_parted_plan();
  RanksState state(plan, 2, {});
  for (std::size_t rank = 0; rank < 2; ++rank) state.reserve(rank), state.set_joined(rank);
  const auto requested = [&](std::size_t op, std::optional<std::size_t> next) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> requests;  // with the oldest
    for (const auto& [rank, frame] : state.request_op(op, next)) requests.emplace_back(frame.pass, frame.part);
    return requests;
  };
  using Requests = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  EXPECT_EQ(requested(0, 1), (Requests{{1, 1}, {2, 1}}));
  EXPECT_EQ(requested(0, 1), Requests{}) << "they are under way";
  EXPECT_EQ(requested(1, std::nullopt), (Requests{{3, 3}})) << "op 0 was given up";
}

}  // namespace
}  // namespace weft::swarmx
