#include "host/swarmx/tree/reducer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "sw/base/bf16.hpp"
#include "sw/compiler/model/token_id.hpp"
#include "tests/swarmx/contributed.hpp"

namespace weft {
namespace {

using Values = std::vector<std::int64_t>;
using MicroBatches = std::vector<std::uint32_t>;

/// Three ops: gradients of 3 words and 1 word, and a loss.
Plan plan() {
  Plan plan;
  plan.model = {.seq = 4, .micro_batch = 2};
  plan.ops.resize(3);
  plan.ops[0].returns = Returns::Loss;
  for (const std::size_t op : {1U, 2U}) plan.ops[op].returns = Returns::Gradient;
  plan.ops[1].returned = {2, 1};
  plan.ops[2].returned = {1};
  plan.forward_ops = 1;
  return plan;
}

/// The contribution of `micro_batches` to step 3, pass 1.
Frame frame(FrameType type, std::uint32_t op, const MicroBatches& micro_batches, const Values& values) {
  Frame frame{.type = type, .step = 3, .pass = 1, .op = op};
  return carry(frame, micro_batches, values);
}
/// Wafer w has micro-batch 10 + w.
Frame of_wafer(std::uint32_t wafer, FrameType type, std::uint32_t op, const Values& values) {
  return frame(type, op, {10 + wafer}, values);
}

Frame begin_frame(const Pass& pass, std::uint32_t number = 1) {
  Frame begin{.type = FrameType::Begin, .step = 3, .pass = number};
  return begin.carry(encode_pass(pass));
}

/// `count` wafers as children, all with a task in step 3, pass 1; the tasks of those in `apart` are unmerged.
Reducer reducer_of(std::uint32_t count, const std::set<std::uint32_t>& apart = {}) {
  Reducer reducer(plan());
  Pass pass;
  for (std::uint32_t w = 0; w < count; ++w) {
    EXPECT_EQ(reducer.join("wafer " + std::to_string(w), {w}, true), w);
    pass.tasks.push_back({w, 10 + w, apart.contains(w)});
  }
  EXPECT_EQ(reducer.begin(begin_frame(pass)).size(), count);
  return reducer;
}

template <class Action>
void says(Action action, const std::string& text) {
  try {
    action();
    ADD_FAILURE() << "nothing thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

Contributed only(const std::vector<Frame>& up) {
  EXPECT_EQ(up.size(), 1U);
  return up.empty() ? Contributed{} : contributed(up.front());
}

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
  EXPECT_EQ(reducer.waiting_for(0), "step 3, round 1");
  EXPECT_EQ(reducer.waiting_for(1), "");
  std::vector<Frame> up;
  give_all(reducer, 0, &up);
  ASSERT_EQ(up.size(), 4U);
  EXPECT_EQ(contributed(up.back()).values, (Values{101, 2, 4, 6}));
  says([&] { give_all(reducer, 1); }, "wafer 1");  // the pass has ended
}

TEST(Reducer, WhoIsLostIsNotWaitedForAndWhatItGaveStays) {
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

TEST(Reducer, Fp32ThatCannotBeAGradientIsRefused) {
  const auto of_words = [](FrameType type, std::uint32_t op, std::size_t count, float word) {
    Frame frame{.type = type, .step = 3, .pass = 1, .op = op};
    return carry_words(frame, 10, count, [&](std::span<std::uint32_t> to) { std::ranges::fill(to, as_bits(word)); });
  };
  for (const float word :
       {2048.0F, -2048.0F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    Reducer reducer = reducer_of(2);
    says([&] { reducer.add(0, of_words(FrameType::Gradient, 1, 3, word)); }, "a gradient larger than there are");
  }
  Reducer reducer = reducer_of(2);
  says([&] { reducer.add(0, of_words(FrameType::Gradient, 1, 2, 1)); }, "another length than planned");
  says([&] { reducer.add(0, of_words(FrameType::Gradient, 1, 4, 1)); }, "another length than planned");
  says([&] { reducer.add(0, of_words(FrameType::Loss, 0, 2, 1)); }, "another length than planned");
  says([&] { reducer.add(0, of_words(FrameType::Loss, 0, 4, 1)); }, "another length than planned");
  says([&] { reducer.add(0, of_words(FrameType::Stats, 0, 4, 1)); }, "another length than planned");
  says([&] { reducer.add(0, of_words(FrameType::Stats, 0, 8, 1)); }, "another length than planned");
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
  says([&] { reducer.add(0, left); }, "node 0..1 has lost a seat that it did not have");
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
  says([&] { reducer.add(0, came); }, "node 0 says that a seat came which is there");
  says([&] { reducer.add(1, came); }, "wafer 2 sent a frame of a type");
  EXPECT_EQ(decode_member_ids(reducer.remove_child(0).back().bytes()), (std::vector<std::uint32_t>{5}));
}

TEST(Reducer, WhatIsApartGoesUpAsItComes) {
  Reducer reducer = reducer_of(3, {1});
  EXPECT_EQ(only(reducer.add(1, of_wafer(1, FrameType::Gradient, 2, {2}))).micro_batches, MicroBatches{11});
  reducer.add(0, of_wafer(0, FrameType::Gradient, 2, {1}));
  const Contributed sum = only(reducer.add(2, of_wafer(2, FrameType::Gradient, 2, {4})));
  EXPECT_EQ(sum.micro_batches, (MicroBatches{10, 12}));
  EXPECT_EQ(sum.values, Values{5});
}

TEST(Reducer, WhoBecomesApartIsNotWaitedFor) {
  Reducer reducer = reducer_of(2);
  reducer.add(0, of_wafer(0, FrameType::Gradient, 2, {1}));
  EXPECT_EQ(only(reducer.set_apart({1})).micro_batches, MicroBatches{10});
  EXPECT_EQ(only(reducer.add(1, of_wafer(1, FrameType::Gradient, 2, {2}))).micro_batches, MicroBatches{11});
  EXPECT_EQ(only(reducer.add(0, of_wafer(0, FrameType::Gradient, 1, {1, 1, 1}))).micro_batches, MicroBatches{10});
  EXPECT_TRUE(reducer.set_apart({1}).empty());
  EXPECT_EQ(reducer.bytes(), 0U);
}

TEST(Reducer, NamesWhoBreaksTheRules) {
  Reducer reducer = reducer_of(2);
  reducer.add(0, of_wafer(0, FrameType::Gradient, 1, {1, 2, 3}));
  EXPECT_EQ(reducer.waiting_for(1), "step 3, round 1");
  says([&] { reducer.add(0, of_wafer(0, FrameType::Gradient, 1, {1, 2, 3})); }, "wafer 0 contributed twice");
  says([&] { reducer.add(1, of_wafer(1, FrameType::Gradient, 1, {1, 2})); }, "wafer 1 contributed another length");
  says([&] { reducer.add(1, of_wafer(0, FrameType::Gradient, 1, {1, 2, 3})); }, "wafer 1 contributed micro-batch 10");
  says(
      [&] {
        reducer.add(1, frame(FrameType::Gradient, 1, {11, 12}, {1, 2, 3}));
      },
      "wafer 1 contributed micro-batch 12");
  says([&] { reducer.add(1, of_wafer(1, FrameType::Begin, 1, {1})); }, "wafer 1 sent a frame of a type");
  says(
      [&] {
        reducer.add(1, of_wafer(1, FrameType::Stats, 0, {1, 1, 1, 1}));
      },
      "wafer 1 ended step 3, round 1 without");
  for (const FrameType type : {FrameType::Gradient, FrameType::Loss}) {
    const std::uint32_t other = type == FrameType::Loss ? 1 : 0;
    says([&] { reducer.add(1, of_wafer(1, type, other, {1, 2, 3})); }, "wafer 1 sent what no round");
    says([&] { reducer.add(1, of_wafer(1, type, ~0U, {1, 2, 3})); }, "wafer 1 sent what no round");
  }
  Frame later = of_wafer(1, FrameType::Gradient, 1, {1, 2, 3});
  later.pass = 2;
  says([&] { reducer.add(1, later); }, "wafer 1 contributed to step 3, round 2");
  says([&] { reducer.begin(begin_frame({true, {{0, 1, false}}})); }, "begins step 3, round 1 twice");
}

/// A child that violates the protocol is lost, and its invalid contribution enters no sum.
TEST(Reducer, AHalfRightContributionLeavesNoTrace) {
  Reducer reducer = reducer_of(2);
  says([&] { reducer.add(1, frame(FrameType::Gradient, 2, {11, 12}, {2})); }, "wafer 1 contributed micro-batch 12");
  EXPECT_EQ(reducer.remove_child(1).size(), 1U);
  EXPECT_EQ(only(reducer.add(0, of_wafer(0, FrameType::Gradient, 2, {1}))).values, Values{1});
}

TEST(Reducer, KeepsNoMoreThanThePassesUnderWay) {
  Reducer reducer(plan());
  reducer.join("wafer 0", {0}, true);
  std::uint32_t number = 0;
  for (; number < kPassesUnderWay; ++number) reducer.begin(begin_frame({true, {{0, number, false}}}, number));
  says([&] { reducer.begin(begin_frame({true, {{0, number, false}}}, number)); }, "too many rounds");
  reducer.set_apart({0});  // the passes hold no sums any more
  EXPECT_EQ(reducer.begin(begin_frame({true, {{0, number, false}}}, number)).size(), 1U);
}

TEST(Reducer, GradientsThatNoWaferSendsAreRefused) {
  for (const std::int64_t sign : {1, -1}) {
    Reducer reducer = reducer_of(2);
    const std::int64_t limit = std::int64_t{1} << 51;
    reducer.add(0, of_wafer(0, FrameType::Gradient, 1, {1, sign * (limit - 1), 1}));
    says(
        [&] {
          reducer.add(1, of_wafer(1, FrameType::Gradient, 1, {1, sign * (limit + 1), 1}));
        },
        "wafer 1 contributed a grad");
  }
}

TEST(Reducer, LossesThatNoMicroBatchHasAreRefused) {
  Reducer reducer = reducer_of(2);
  for (const std::int64_t tokens : {-8, 0, 7, 9}) {
    says([&] { reducer.add(0, of_wafer(0, FrameType::Loss, 0, {1, tokens})); }, "wafer 0 contributed the loss of");
  }
  says(
      [&] {
        reducer.add(0, of_wafer(0, FrameType::Loss, 0, {INT64_MAX, 8}));
      },
      "wafer 0 contributed the loss of 8 tokens");
}

TEST(Reducer, AnEvaluationMayHaveFewerTokens) {
  Reducer reducer(plan());
  reducer.join("wafer 0", {0}, true);
  reducer.begin(begin_frame({false, {{0, 10, false}}}));
  says(
      [&] {
        reducer.add(0, of_wafer(0, FrameType::Gradient, 1, {1, 2, 3}));
      },
      "wafer 0 sent what no round of evaluation");
  says([&] { reducer.add(0, of_wafer(0, FrameType::Loss, 0, {1, 9})); }, "wafer 0 contributed the loss of 9 tokens");
  EXPECT_EQ(reducer.add(0, of_wafer(0, FrameType::Loss, 0, {1, 4})).size(), 1U);
}

TEST(Reducer, ALossIsOfTheLabelsThatWentDown) {
  for (const bool train : {true, false}) {
    Reducer reducer(plan());
    reducer.join("wafer 0", {0}, true);
    reducer.begin(begin_frame({train, {{0, 10, false}}}));
    Frame batch{.type = FrameType::Batch, .step = 3, .pass = 1, .op = 0};  // in two parts, 8 tokens in total
    reducer.count_labels(batch.carry(encode_batch({{1, 2, 3, 4}, {2, kNoLabel, kNoLabel, 5}})));
    reducer.count_labels(batch.carry(encode_batch({{5, 6, 7, 8}, {6, 7, 8, kNoLabel}})));
    for (const std::int64_t tokens : {1, 4, 6, 8})
      says([&] { reducer.add(0, of_wafer(0, FrameType::Loss, 0, {1, tokens})); }, "wafer 0 contributed the loss of");
    EXPECT_EQ(reducer.add(0, of_wafer(0, FrameType::Loss, 0, {1, 5})).size(), 1U);
  }
}

TEST(Reducer, ALossThatOverflowsIsReported) {
  Plan large = plan();
  large.model.seq = 1500;
  Reducer reducer(large);
  for (const std::uint32_t w : {0U, 1U}) reducer.join("wafer " + std::to_string(w), {w}, true);
  reducer.begin(begin_frame({true, {{0, 10, false}, {1, 11, false}}}));
  const std::int64_t most = INT64_MAX / 3 * 2;
  reducer.add(0, of_wafer(0, FrameType::Loss, 0, {most, 3000}));
  says(
      [&] {
        reducer.add(1, of_wafer(1, FrameType::Loss, 0, {most, 3000}));
      },
      "the loss of the global batch overflows");
}

}  // namespace
}  // namespace weft
