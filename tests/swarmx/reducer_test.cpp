#include "host/swarmx/reducer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "host/swarmx/error.hpp"
#include "host/swarmx/payload.hpp"

namespace weft {
namespace {

/// Three ops: gradients of 3 words and 1, and a loss.
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

Frame frame(FrameType type, std::uint32_t op, const std::vector<std::int64_t>& values) {
  Frame frame{.type = type, .step = 3, .round = 1, .op = op, .contains = values.empty() ? 0U : 1U};
  return frame.carry(encode_integers(values));
}

std::vector<Reducer::Child> wafers(int count) {
  std::vector<Reducer::Child> children;
  for (int id = 0; id < count; ++id) children.push_back({"wafer " + std::to_string(id), id, 1});
  return children;
}

/// In step 3, round 1, the first `busy` of `count` wafers have a micro-batch.
Reducer reducer_of(int count, int busy) {
  const auto all = static_cast<std::uint32_t>(count);
  Reducer reducer(plan(), wafers(count));
  Frame begin{.type = FrameType::Begin, .step = 3, .round = 1};
  reducer.begin(begin.carry(encode_round({true, all, all + static_cast<std::uint32_t>(busy)})));
  return reducer;
}

template <class Action>
void says(Action action, const std::string& text) {
  try {
    action();
    ADD_FAILURE() << "nothing thrown";
  } catch (const SwarmError& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

TEST(Reducer, KeepsASumOnlyUntilItIsWhole) {
  Reducer reducer = reducer_of(2, 2);
  EXPECT_FALSE(reducer.add(0, frame(FrameType::Gradient, 1, {1, 2, 3})));
  EXPECT_EQ(reducer.bytes(), 3 * sizeof(std::int64_t));
  EXPECT_TRUE(reducer.add(1, frame(FrameType::Gradient, 1, {1, 2, 3})));
  EXPECT_EQ(reducer.bytes(), 0U);
}

TEST(Reducer, AddsInAnyOrderAndCountsTheIdle) {
  for (unsigned seed = 1; seed < 50; ++seed) {
    std::vector<std::pair<std::size_t, Frame>> arrivals{
        {0, frame(FrameType::Gradient, 1, {1, -2, 3})}, {1, frame(FrameType::Gradient, 1, {10, 20, -30})},
        {2, frame(FrameType::Gradient, 1, {})},         {0, frame(FrameType::Gradient, 2, {5})},
        {1, frame(FrameType::Gradient, 2, {6})},        {2, frame(FrameType::Gradient, 2, {})}};
    std::shuffle(arrivals.begin(), arrivals.end(), std::mt19937(seed));
    Reducer reducer = reducer_of(3, 2);
    int whole = 0;
    for (const auto& [child, part] : arrivals) {
      if (const auto sum = reducer.add(child, part)) {
        ++whole;
        const std::vector<std::int64_t> expected =
            sum->op == 1 ? std::vector<std::int64_t>{11, 18, -27} : std::vector<std::int64_t>{11};
        EXPECT_EQ(decode_integers(sum->bytes()), expected) << "seed " << seed;
        EXPECT_EQ(sum->contains, 2U);
      }
    }
    EXPECT_EQ(whole, 2);
  }
}

void give_all(Reducer& reducer, std::size_t child, const std::vector<std::int64_t>& loss) {
  reducer.add(child, frame(FrameType::Loss, 0, loss));
  reducer.add(child, frame(FrameType::Gradient, 1, {1, 2, 3}));
  reducer.add(child, frame(FrameType::Gradient, 2, {1}));
}

TEST(Reducer, TakesTheMaximumOfCyclesAndTheSumOfWork) {
  Reducer reducer = reducer_of(2, 2);
  for (const std::size_t child : {1U, 0U}) give_all(reducer, child, {7, 8});
  EXPECT_FALSE(reducer.add(1, frame(FrameType::Stats, 0, {100, 1, 2, 3})));
  EXPECT_EQ(reducer.waiting_for(0), "step 3, round 1");
  EXPECT_EQ(reducer.waiting_for(1), "");
  const auto sum = reducer.add(0, frame(FrameType::Stats, 0, {90, 10, 20, 30}));
  ASSERT_TRUE(sum);
  EXPECT_EQ(decode_integers(sum->bytes()), (std::vector<std::int64_t>{100, 11, 22, 33}));
  says([&] { reducer.add(1, frame(FrameType::Stats, 0, {1, 1, 1, 1})); }, "wafer 1");  // the round has ended
}

TEST(Reducer, NamesWhoBreaksTheRules) {
  Reducer reducer = reducer_of(2, 2);
  reducer.add(0, frame(FrameType::Gradient, 1, {1, 2, 3}));
  EXPECT_EQ(reducer.waiting_for(1), "step 3, round 1");
  says([&] { reducer.add(0, frame(FrameType::Gradient, 1, {1, 2, 3})); }, "wafer 0 contributed twice");
  says([&] { reducer.add(1, frame(FrameType::Gradient, 1, {1, 2})); }, "wafer 1 contributed another length");
  says([&] { reducer.add(1, frame(FrameType::Gradient, 1, {})); },
       "wafer 1 contributed 0 micro-batches where it has 1");
  says([&] { reducer.add(1, frame(FrameType::Begin, 1, {1})); }, "wafer 1 sent a frame of a type");
  says([&] { reducer.add(1, frame(FrameType::Stats, 0, {1, 1, 1, 1})); }, "wafer 1 ended step 3, round 1 without");
  for (const FrameType type : {FrameType::Gradient, FrameType::Loss}) {
    says(
        [&] {
          reducer.add(1, frame(type, type == FrameType::Loss ? 1 : 0, {1, 2, 3}));
        },
        "wafer 1 sent what no round");
    says([&] { reducer.add(1, frame(type, ~0U, {1, 2, 3})); }, "wafer 1 sent what no round");
  }
  Frame later = frame(FrameType::Gradient, 1, {1, 2, 3});
  later.round = 2;
  says([&] { reducer.add(1, later); }, "wafer 1 contributed to step 3, round 2");
}

TEST(Reducer, KeepsNoMoreThanTheRoundsUnderWay) {
  Reducer reducer(plan(), wafers(2));
  Frame begin{.type = FrameType::Begin, .step = 3};
  begin.carry(encode_round({true, 2, 1000}));
  for (; begin.round < kRoundsUnderWay; ++begin.round) reducer.begin(begin);
  says([&] { reducer.begin(begin); }, "too many rounds");
}

TEST(Reducer, GradientsThatNoWaferSendsAreRefused) {
  for (const std::int64_t sign : {1, -1}) {
    Reducer reducer = reducer_of(2, 2);
    const std::int64_t limit = std::int64_t{1} << 51;
    reducer.add(0, frame(FrameType::Gradient, 1, {1, sign * (limit - 1), 1}));
    says(
        [&] {
          reducer.add(1, frame(FrameType::Gradient, 1, {1, sign * (limit + 1), 1}));
        },
        "wafer 1 contributed a grad");
  }
}

TEST(Reducer, LossesThatNoMicroBatchHasAreRefused) {
  Reducer reducer = reducer_of(2, 2);
  for (const std::int64_t tokens : {-8, 0, 7, 9}) {
    says([&] { reducer.add(0, frame(FrameType::Loss, 0, {1, tokens})); }, "wafer 0 contributed the loss of");
  }
  says([&] { reducer.add(0, frame(FrameType::Loss, 0, {INT64_MAX, 8})); }, "wafer 0 contributed the loss of 8 tokens");
}

TEST(Reducer, AnEvaluationMayHaveFewerTokens) {
  Reducer reducer(plan(), wafers(1));
  Frame begin{.type = FrameType::Begin, .step = 3, .round = 1};
  reducer.begin(begin.carry(encode_round({false, 1, 2})));
  says([&] { reducer.add(0, frame(FrameType::Gradient, 1, {1, 2, 3})); }, "wafer 0 sent what no round of evaluation");
  says([&] { reducer.add(0, frame(FrameType::Loss, 0, {1, 9})); }, "wafer 0 contributed the loss of 9 tokens");
  EXPECT_TRUE(reducer.add(0, frame(FrameType::Loss, 0, {1, 4})));
}

TEST(Reducer, ALossThatOverflowsIsReported) {
  Plan large = plan();
  large.model.seq = 1500;
  Reducer reducer(large, wafers(2));
  Frame begin{.type = FrameType::Begin, .step = 3, .round = 1};
  reducer.begin(begin.carry(encode_round({true, 2, 4})));
  const std::int64_t most = INT64_MAX / 3 * 2;
  reducer.add(0, frame(FrameType::Loss, 0, {most, 3000}));
  says([&] { reducer.add(1, frame(FrameType::Loss, 0, {most, 3000})); }, "the loss of the global batch overflows");
}

}  // namespace
}  // namespace weft
