/// Contributions that no child may send: each is rejected with the name of the child, and leaves no trace in a sum.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "host/swarmx/base/error.hpp"
#include "sw/base/bf16.hpp"
#include "sw/base/token_id.hpp"
#include "tests/swarmx/tree/small_reducer.hpp"

namespace weft::swarmx::reducer {
namespace {

TEST(Reducer, Fp32ThatCannotBeAGradientIsRefused) {
  const auto of_words = [](FrameType type, std::uint32_t op, std::size_t count, float word) {
    Frame frame{.type = type, .step = 3, .pass = 1, .op = op};
    return carry_words(frame, 10, count, [&](std::span<std::uint32_t> to) { std::ranges::fill(to, as_bits(word)); });
  };
  for (const float word :
       {2048.0F, -2048.0F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    Reducer reducer = reducer_of(2);
    says([&] { reducer.add(0, of_words(FrameType::Gradient, 1, 3, word)); }, "a gradient above the possible maximum");
  }
  Reducer reducer = reducer_of(2);
  says([&] { reducer.add(0, of_words(FrameType::Gradient, 1, 2, 1)); }, "a length other than planned");
  says([&] { reducer.add(0, of_words(FrameType::Gradient, 1, 4, 1)); }, "a length other than planned");
  says([&] { reducer.add(0, of_words(FrameType::Loss, 0, 2, 1)); }, "a length other than planned");
  says([&] { reducer.add(0, of_words(FrameType::Loss, 0, 4, 1)); }, "a length other than planned");
  says([&] { reducer.add(0, of_words(FrameType::Stats, 0, 4, 1)); }, "a length other than planned");
  says([&] { reducer.add(0, of_words(FrameType::Stats, 0, 8, 1)); }, "a length other than planned");
}

TEST(Reducer, NamesWhoBreaksTheRules) {
  Reducer reducer = reducer_of(2);
  reducer.add(0, of_wafer(0, FrameType::Gradient, 1, {1, 2, 3}));
  EXPECT_EQ(reducer.waiting_for(1), "step 4, pass 1");
  says([&] { reducer.add(0, of_wafer(0, FrameType::Gradient, 1, {1, 2, 3})); }, "wafer 0 contributed twice");
  says([&] { reducer.add(1, of_wafer(1, FrameType::Gradient, 1, {1, 2})); }, "wafer 1 contributed a length");
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
      "wafer 1 ended step 4, pass 1 with missing returns");
  for (const FrameType type : {FrameType::Gradient, FrameType::Loss}) {
    const std::uint32_t other = type == FrameType::Loss ? 1 : 0;
    says([&] { reducer.add(1, of_wafer(1, type, other, {1, 2, 3})); }, "wafer 1 sent a frame that no pass");
    says([&] { reducer.add(1, of_wafer(1, type, ~0U, {1, 2, 3})); }, "wafer 1 sent a frame that no pass");
  }
  Frame later = of_wafer(1, FrameType::Gradient, 1, {1, 2, 3});
  later.pass = 2;
  says([&] { reducer.add(1, later); }, "wafer 1 contributed to step 4, pass 2");
  says([&] { reducer.begin(begin_frame({true, {{0, 1, false}}})); }, "begins step 4, pass 1 twice");
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
  says([&] { reducer.begin(begin_frame({true, {{0, number, false}}}, number)); }, "too many passes");
  reducer.set_unmerged({0});  // the passes hold no sums any more
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
      "wafer 0 sent a frame that no pass of evaluation");
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

/// A micro-batch may lack labels of the first of two losses, not of the last.
TEST(Reducer, EachOfTwoLossesIsOfItsOwnLabels) {
  compiler::Plan two = plan();
  two.losses = {compiler::Labels::Classes, compiler::Labels::Tokens};
  two.ops[1].returns = compiler::Returns::Loss;
  two.forward_ops = 2;
  Reducer reducer(two);
  reducer.join("wafer 0", {0}, true);
  reducer.begin(begin_frame({false, {{0, 10, false}}}));
  Frame batch{.type = FrameType::Batch, .step = 3, .pass = 1, .op = 0};
  reducer.count_labels(batch.carry(encode_batch({{1, 2, 3}, {with_class(2, 1), with_class(3, kNoLabel), kNoLabel}})));
  for (const std::uint32_t op : {0U, 1U}) {
    const std::int64_t own = op == 0 ? 1 : 2;
    for (const std::int64_t tokens : {own - 1, own + 1})
      says([&] { reducer.add(0, of_wafer(0, FrameType::Loss, op, {1, tokens})); }, "wafer 0 contributed the loss of");
    EXPECT_EQ(reducer.add(0, of_wafer(0, FrameType::Loss, op, {1, own})).size(), 1U);
  }
}

TEST(Reducer, ALossThatOverflowsIsReported) {
  compiler::Plan large = plan();
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
}  // namespace weft::swarmx::reducer
