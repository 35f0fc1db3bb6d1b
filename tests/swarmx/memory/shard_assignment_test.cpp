/// The distribution of tensors to ranks, the messages to ranks, and the ranks' reports on their parts.
#include "host/swarmx/memory/shard_assignment.hpp"

#include <gtest/gtest.h>

#include "host/memoryx/state_hash.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/swarmx/memory/part_frames.hpp"
#include "host/swarmx/memory/parts.hpp"
#include "host/swarmx/memory/pending_requests.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "sw/base/refusal.hpp"
#include "tests/says.hpp"
#include "tests/swarmx/memory/parted.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

TEST(AssignShards, IsByBytesInTheOrderOfThePlan) {
  const compiler::Plan plan = parted_plan();  // 40,000, 100 with 60,000, and 20,000 with 50,000
  const auto two = assign_shards(plan, 2);
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0].first, 0U);
  EXPECT_EQ(two[0].last, 3U);
  EXPECT_EQ(two[1].first, 3U);
  EXPECT_EQ(two[1].last, 5U);
  EXPECT_EQ(two[0].shards, (memoryx::ShardRange{0, 2}));
  EXPECT_EQ(two[1].shards, (memoryx::ShardRange{1, 3}));  // both have the second
  EXPECT_EQ(assign_shards(plan, 1)[0].shards, (memoryx::ShardRange{0, 3}));
}

TEST(AssignShards, TensorsOfOneOpGoTogether) {
  const compiler::Plan plan = parted_plan();
  const auto three = assign_shards(plan, 3);
  EXPECT_EQ(three[0].last, 1U);
  EXPECT_EQ(three[1].last, 3U);
  const std::vector<std::size_t> ranks = rank_of_ops(plan, three);
  EXPECT_EQ(ranks, (std::vector<std::size_t>{1, 0, 0, 0, 2}));
  for (std::size_t op = 0; op < plan.ops.size(); ++op)
    for (const int tensor : plan.ops[op].tensors) {
      EXPECT_GE(static_cast<std::size_t>(tensor), three[ranks[op]].first) << op;
      EXPECT_LT(static_cast<std::size_t>(tensor), three[ranks[op]].last) << op;
    }
  try {
    assign_shards(plan, 4);
    ADD_FAILURE() << "the tensor is assigned to four";
  } catch (const Refusal& refusal) {
    EXPECT_SAYS(refusal.what(), "memoryx.ranks: 4, but the tensors of this model can be assigned to at most 3. HINT: ");
  }
}

TEST(AssignShards, GradientsGoToWhoHasAPartOfTheirTensors) {
  const compiler::Plan plan = parted_plan();
  const auto gets = ranks_written(plan, assign_shards(plan, 3));
  EXPECT_EQ(gets[2], (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(gets[3], (std::vector<std::size_t>{0, 1, 2}));  // rank 0 has the shard in which rank 1's tensors begin
  EXPECT_TRUE(gets[0].empty());
}

TEST(AssignShards, IsSentWhole) {
  const PartOptions part{.shards = {3, 9},
                         .optimizer = {.rule = "SGD",
                                       .beta1 = 0.1,
                                       .beta2 = 0.2,
                                       .eps = 0.3,
                                       .correct_bias = false,
                                       .momentum = 0.4,
                                       .dampening = 0.5,
                                       .nesterov = true,
                                       .weight_decay = 0.6,
                                       .max_gradient_norm = 0.7},
                         .seed = 77,
                         .no_decay = {"a", "b c"},
                         .decay = {"e"},
                         .frozen = {"d"}};
  const PartOptions back = decode_part(encode_part(part));
  EXPECT_EQ(back.shards, part.shards);
  EXPECT_EQ(back.seed, part.seed);
  EXPECT_EQ(back.no_decay, part.no_decay);
  EXPECT_EQ(back.decay, part.decay);
  EXPECT_EQ(back.frozen, part.frozen);
  const memoryx::OptimizerOptions &a = back.optimizer, &b = part.optimizer;
  EXPECT_EQ(a.rule, b.rule);
  EXPECT_EQ(std::tie(a.beta1, a.beta2, a.eps, a.correct_bias), std::tie(b.beta1, b.beta2, b.eps, b.correct_bias));
  EXPECT_EQ(std::tie(a.momentum, a.dampening, a.nesterov), std::tie(b.momentum, b.dampening, b.nesterov));
  EXPECT_EQ(std::tie(a.weight_decay, a.max_gradient_norm), std::tie(b.weight_decay, b.max_gradient_norm));
  Bytes cut = encode_part(part);
  cut.pop_back();
  EXPECT_THROW(decode_part(cut), CorruptFrame);
  cut.resize(20);
  EXPECT_THROW(decode_part(cut), CorruptFrame);
}

/// Two ranks with three shards each, of which they share one.
struct PartsOfTwo : testing::Test {
  memoryx::ShardDone shard(std::uint64_t n) const {
    return {.square = 0.5 * static_cast<double>(n), .hash = {n, n + 1, n + 2}};
  }
  std::vector<memoryx::ShardDone> all() const {
    std::vector<memoryx::ShardDone> result;
    for (std::uint64_t n = 0; n < 5; ++n) result.push_back(shard(n));
    return result;
  }
  Frame done(std::size_t rank, const std::vector<memoryx::ShardDone>& shards,
             const std::optional<std::string>& why = {}) {
    return done_frames(shards, assignments[rank].shards, why).at(0);
  }
  const std::vector<ShardAssignment> assignments = {{0, 1, {0, 3}}, {1, 2, {2, 5}}};
  const std::uint64_t parameters = 5 * memoryx::kShard - 7;
  Parts parts{assignments, parameters};
};

TEST_F(PartsOfTwo, ArePutTogetherAsOneProcessWould) {
  parts.begin_update();
  parts.take_done(1, done(1, all()));
  EXPECT_EQ(parts.updates_complete(), 1U);
  parts.take_done(0, done(0, all(), "a weight of t0 is not finite"));
  EXPECT_EQ(parts.updates_complete(), 2U);
  const memoryx::UpdateResult settled = parts.update_result(2);
  std::vector<memoryx::StateShard> hashes;
  for (const memoryx::ShardDone& one : all()) hashes.push_back(one.hash);
  EXPECT_EQ(settled.hash, memoryx::state_hash(hashes, parameters, 2));
  EXPECT_EQ(settled.gradient_norm, std::sqrt(0.5 + 1 + 1.5 + 2));
  EXPECT_EQ(settled.diverged, "a weight of t0 is not finite");
}

TEST_F(PartsOfTwo, DifferenceAtTheBoundaryIsFound) {
  std::vector<memoryx::ShardDone> other = all();
  ++other[2].hash.second;
  parts.begin_update();
  parts.take_done(0, done(0, all()));
  try {
    parts.take_done(1, done(1, other));
    ADD_FAILURE() << "it is taken";
  } catch (const SwarmError& error) {
    EXPECT_SAYS(error.what(), "memory 1 has other weights than its neighbor");
  }
}

TEST_F(PartsOfTwo, BadFrameIsRejected) {
  parts.begin_update();
  EXPECT_THROW(parts.take_done(0, done(1, all())), CorruptFrame);  // another rank's
  Frame more = done(0, all());
  ++more.contains;
  EXPECT_THROW(parts.take_done(0, more), CorruptFrame);
  parts.take_done(0, done(0, all()));
  EXPECT_THROW(parts.take_done(0, done(0, all())), CorruptFrame);  // twice
  parts.begin_norm();
  EXPECT_THROW(parts.take_norm(0, norm_frames(std::vector<double>(5), {2, 5}).at(0)), CorruptFrame);
}

TEST_F(PartsOfTwo, SquaresAreOfAll) {
  parts.begin_norm();
  const std::vector<double> squares = {1, 2, 3, 4, 5};
  for (const std::size_t rank : {1U, 0U}) parts.take_norm(rank, norm_frames(squares, assignments[rank].shards).at(0));
  EXPECT_EQ(parts.norms_received(), 2U);
  EXPECT_TRUE(std::ranges::equal(parts.squares(), squares));
}

TEST(PendingRequests, GivesPiecesInOrderAndDropsThoseOfAnotherRequest) {
  PendingRequests pending;
  pending.add(7, 2);
  const auto piece = [](std::uint32_t pass, std::uint8_t byte) {
    Frame frame{.type = FrameType::Op, .pass = pass};
    return frame.carry({byte});
  };
  pending.receive(0, piece(6, 1));
  pending.receive(0, piece(7, 2));
  pending.receive(1, piece(7, 3));
  pending.receive(0, {.type = FrameType::Op, .pass = 7});
  EXPECT_THROW(pending.receive(0, {.type = FrameType::Op, .pass = 7}), CorruptFrame);  // not the end of another request
  pending.receive(1, {.type = FrameType::Op, .pass = 7});
  ASSERT_TRUE(pending.ready(7));
  EXPECT_EQ(pending.next(7)->frame.bytes()[0], 2);
  const auto last = pending.next(7);
  EXPECT_EQ(last->rank, 1U);
  EXPECT_EQ(last->frame.bytes()[0], 3);
  EXPECT_FALSE(pending.next(7));
  pending.add(8);
  EXPECT_FALSE(pending.ready(8));
  for (std::uint32_t k = 0; k < PendingRequests::kAnswers; ++k) pending.receive(0, piece(8, 0));
  EXPECT_THROW(pending.receive(0, piece(8, 0)), CorruptFrame);
}

}  // namespace
}  // namespace weft::swarmx
