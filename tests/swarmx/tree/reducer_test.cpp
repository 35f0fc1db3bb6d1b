#include "host/swarmx/tree/reducer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sw/base/bf16.hpp"
#include "tests/swarmx/tree/small_reducer.hpp"

namespace weft::swarmx::reducer {
namespace {

TEST(Reducer, KeepsASumOnlyUntilItIsWhole) {
  Reducer reducer = reducer_of(2);
  EXPECT_TRUE(reducer.add(0, of_wafer(0, FrameType::Gradient, 1, {1, 2, 3})).empty());
  EXPECT_EQ(reducer.bytes(), 3 * sizeof(std::int64_t));
  EXPECT_EQ(reducer.add(1, of_wafer(1, FrameType::Gradient, 1, {1, 2, 3})).size(), 1U);
  EXPECT_EQ(reducer.bytes(), 0U);
}

TEST(Reducer, AddsInAnyOrderAndSaysWhatASumContains) {
  for (unsigned seed = 1; seed < 50; ++seed) {
    std::vector<std::pair<std::uint32_t, Frame>> arrivals;
    for (const std::uint32_t w : {0U, 1U, 2U}) {
      arrivals.emplace_back(w, of_wafer(w, FrameType::Gradient, 1, {1 << w, -1, 3}));
      arrivals.emplace_back(w, of_wafer(w, FrameType::Gradient, 2, {10 << w}));
    }
    std::shuffle(arrivals.begin(), arrivals.end(), std::mt19937(seed));
    Reducer reducer = reducer_of(3);
    int whole = 0;
    for (const auto& [child, part] : arrivals) {
      for (const Frame& sum : reducer.add(child, part)) {
        ++whole;
        const auto [micro_batches, values] = contributed(sum);
        EXPECT_EQ(values, sum.op == 1 ? (Values{7, -3, 9}) : Values{70}) << "seed " << seed;
        EXPECT_EQ(micro_batches, (MicroBatches{10, 11, 12}));
      }
    }
    EXPECT_EQ(whole, 2);
  }
}

TEST(Reducer, GivesEachChildItsOwnTasks) {
  Reducer reducer(plan());
  reducer.join("node 0..1", {0, 1}, false);
  reducer.join("wafer 2", {2}, true);
  reducer.join("wafer 3", {3}, true);
  const auto down = reducer.begin(begin_frame({true, {{0, 5, false}, {1, 6, true}, {2, 7, false}, {9, 8, false}}}));
  ASSERT_EQ(down.size(), 2U);  // wafer 3 has no task, and no child has member id 9
  EXPECT_EQ(decode_pass(down[0].second.bytes()).tasks, (std::vector<Task>{{0, 5, false}, {1, 6, true}}));
  EXPECT_EQ(decode_pass(down[1].second.bytes()).tasks, (std::vector<Task>{{2, 7, false}}));
  says([&] { reducer.add(2, frame(FrameType::Gradient, 1, {7}, {1, 2, 3})); }, "wafer 3 contributed micro-batch 7");
  EXPECT_TRUE(reducer.begin(begin_frame({true, {{9, 8, false}}}, 2)).empty());
}

void give_all(Reducer& reducer, std::uint32_t child, std::vector<Frame>* up = nullptr) {
  for (const Frame& part :
       {of_wafer(child, FrameType::Loss, 0, {7, 8}), of_wafer(child, FrameType::Gradient, 1, {1, 2, 3}),
        of_wafer(child, FrameType::Gradient, 2, {1}), of_wafer(child, FrameType::Stats, 0, {100 + child, 1, 2, 3})}) {
    for (Frame& sum : reducer.add(child, part)) {
      if (up != nullptr) up->push_back(std::move(sum));
    }
  }
}

TEST(Reducer, TakesTheMaximumOfCyclesAndTheSumOfWork) {
  Reducer reducer = reducer_of(2);
  give_all(reducer, 1);
  EXPECT_EQ(reducer.waiting_for(0), "step 4, pass 1");
  EXPECT_EQ(reducer.waiting_for(1), "");
  std::vector<Frame> up;
  give_all(reducer, 0, &up);
  ASSERT_EQ(up.size(), 4U);
  EXPECT_EQ(contributed(up.back()).values, (Values{101, 2, 4, 6}));
  says([&] { give_all(reducer, 1); }, "wafer 1");  // the pass has ended
}

TEST(Reducer, LostMemberIsNotAwaitedAndItsSumsStay) {
  Reducer reducer = reducer_of(3);
  reducer.add(0, of_wafer(0, FrameType::Gradient, 1, {1, 1, 1}));
  reducer.add(1, of_wafer(1, FrameType::Gradient, 1, {2, 2, 2}));
  reducer.add(2, of_wafer(2, FrameType::Gradient, 2, {4}));
  EXPECT_TRUE(reducer.add(1, of_wafer(1, FrameType::Gradient, 2, {2})).empty());
  std::vector<Frame> up = reducer.remove_child(2);
  ASSERT_EQ(up.size(), 2U);  // op 1 was missing only wafer 2; op 2 is still missing wafer 0
  EXPECT_EQ(contributed(up[0]).values, (Values{3, 3, 3}));
  EXPECT_EQ(contributed(up[0]).micro_batches, (MicroBatches{10, 11}));
  EXPECT_EQ(up[1].type, FrameType::Left);
  EXPECT_EQ(decode_member_ids(up[1].bytes()), (std::vector<std::uint32_t>{2}));
  const Contributed sum = only(reducer.add(0, of_wafer(0, FrameType::Gradient, 2, {1})));
  EXPECT_EQ(sum.values, Values{7});  // includes wafer 2's value
  EXPECT_EQ(sum.micro_batches, (MicroBatches{10, 11, 12}));
  EXPECT_TRUE(reducer.remove_child(2).empty());
  EXPECT_EQ(reducer.child_of(2), Reducer::npos);
}

/// Gradients in the form that wafers return: sums have fixed-point values, and an unmerged gradient is forwarded
/// unchanged.
TEST(Reducer, GradientsOfOneMicroBatchComeAsFp32) {
  const auto of_words = [](std::uint32_t wafer, std::uint32_t op, const std::vector<float>& words) {
    Frame frame{.type = FrameType::Gradient, .step = 3, .pass = 1, .op = op};
    return carry_words(frame, 10 + wafer, words.size(), [&](std::span<std::uint32_t> to) {
      std::ranges::transform(words, to.begin(), [](float word) { return as_bits(word); });
    });
  };
  constexpr std::int64_t kOne = std::int64_t{1} << 40;
  Reducer reducer = reducer_of(3, {2});
  EXPECT_TRUE(reducer.add(0, of_words(0, 1, {1, -2, 0x1p-40F})).empty());
  const std::vector<Frame> alone = reducer.add(2, of_words(2, 1, {7, 7, 7}));
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_EQ(*alone[0].payload, *of_words(2, 1, {7, 7, 7}).payload);
  const Contributed sum = only(reducer.add(1, of_words(1, 1, {0.5, 4, 1})));
  EXPECT_EQ(sum.micro_batches, (MicroBatches{10, 11}));
  EXPECT_EQ(sum.values, (Values{kOne + kOne / 2, 2 * kOne, kOne + 1}));
  EXPECT_TRUE(reducer.add(0, of_words(0, 2, {3})).empty());
  EXPECT_EQ(only(reducer.add(1, of_wafer(1, FrameType::Gradient, 2, {5}))).values, Values{3 * kOne + 5});
}

TEST(Reducer, ALossThatItIsGivenIsTheSame) {
  Reducer reducer(plan());
  reducer.join("node 0..1", {0, 1}, false);
  reducer.join("wafer 2", {2}, true);
  reducer.begin(begin_frame({true, {{0, 10, false}, {1, 11, false}, {2, 12, false}}}));
  reducer.add(1, of_wafer(2, FrameType::Gradient, 2, {4}));
  EXPECT_TRUE(reducer.add(0, frame(FrameType::Gradient, 2, {11}, {2})).empty());  // without wafer 0's value
  Frame left{.type = FrameType::Left};
  left.carry(encode_member_ids(std::vector<std::uint32_t>{0}));
  const std::vector<Frame> up = reducer.add(0, left);
  ASSERT_EQ(up.size(), 2U);
  EXPECT_EQ(contributed(up[0]).micro_batches, (MicroBatches{11, 12}));
  EXPECT_EQ(up[1].type, FrameType::Left);
  says([&] { reducer.add(0, left); }, "node 0..1 reports the loss of a member id that it did not have");
  says([&] { reducer.add(1, left); }, "wafer 2 sent a frame of a type");
}

TEST(Reducer, MembersThatComeToANodeHaveTasksThere) {
  Reducer reducer(plan());
  reducer.join("node 0", {}, false);
  reducer.join("wafer 2", {2}, true);
  Frame came{.type = FrameType::Came};
  came.carry(encode_member_ids(std::vector<std::uint32_t>{5}));
  const std::vector<Frame> up = reducer.add(0, came);
  ASSERT_EQ(up.size(), 1U);
  EXPECT_EQ(up[0].type, FrameType::Came);
  EXPECT_EQ(reducer.child_of(5), 0U);
  const auto down = reducer.begin(begin_frame({true, {{2, 10, false}, {5, 11, false}}}));
  ASSERT_EQ(down.size(), 2U);
  EXPECT_EQ(decode_pass(down[0].second.bytes()).tasks.front().member_id, 5U);
  says([&] { reducer.add(0, came); }, "node 0 reports the joining of a member id that is present");
  says([&] { reducer.add(1, came); }, "wafer 2 sent a frame of a type");
  EXPECT_EQ(decode_member_ids(reducer.remove_child(0).back().bytes()), (std::vector<std::uint32_t>{5}));
}

TEST(Reducer, AnUnmergedTaskIsForwardedUnchanged) {
  Reducer reducer = reducer_of(3, {1});
  EXPECT_EQ(only(reducer.add(1, of_wafer(1, FrameType::Gradient, 2, {2}))).micro_batches, MicroBatches{11});
  reducer.add(0, of_wafer(0, FrameType::Gradient, 2, {1}));
  const Contributed sum = only(reducer.add(2, of_wafer(2, FrameType::Gradient, 2, {4})));
  EXPECT_EQ(sum.micro_batches, (MicroBatches{10, 12}));
  EXPECT_EQ(sum.values, Values{5});
}

TEST(Reducer, AMemberThatBecomesUnmergedIsNotWaitedFor) {
  Reducer reducer = reducer_of(2);
  reducer.add(0, of_wafer(0, FrameType::Gradient, 2, {1}));
  EXPECT_EQ(only(reducer.set_unmerged({1})).micro_batches, MicroBatches{10});
  EXPECT_EQ(only(reducer.add(1, of_wafer(1, FrameType::Gradient, 2, {2}))).micro_batches, MicroBatches{11});
  EXPECT_EQ(only(reducer.add(0, of_wafer(0, FrameType::Gradient, 1, {1, 1, 1}))).micro_batches, MicroBatches{10});
  EXPECT_TRUE(reducer.set_unmerged({1}).empty());
  EXPECT_EQ(reducer.bytes(), 0U);
}

}  // namespace
}  // namespace weft::swarmx::reducer
