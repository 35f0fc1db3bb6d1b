#include "host/swarmx/reducer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "host/swarmx/error.hpp"
#include "host/swarmx/payload.hpp"

namespace weft {
namespace {

Frame frame(FrameType type, std::uint32_t op, const std::vector<std::int64_t>& values) {
  Frame frame{.type = type, .step = 3, .round = 1, .op = op};
  return frame.carry(encode_integers(values));
}

TEST(Reducer, AddsInAnyOrderAndCountsTheIdle) {
  for (unsigned seed = 1; seed < 50; ++seed) {
    std::vector<std::pair<std::size_t, Frame>> arrivals{
        {0, frame(FrameType::Gradient, 1, {1, -2, 3})},    {1, frame(FrameType::Gradient, 1, {})},
        {2, frame(FrameType::Gradient, 1, {10, 20, -30})}, {0, frame(FrameType::Gradient, 2, {5})},
        {1, frame(FrameType::Gradient, 2, {6})},           {2, frame(FrameType::Gradient, 2, {7})}};
    std::shuffle(arrivals.begin(), arrivals.end(), std::mt19937(seed));
    Reducer reducer({"a", "b", "c"});
    int whole = 0;
    for (const auto& [child, part] : arrivals) {
      if (const auto sum = reducer.add(child, part)) {
        ++whole;
        const std::vector<std::int64_t> expected =
            sum->op == 1 ? std::vector<std::int64_t>{11, 18, -27} : std::vector<std::int64_t>{18};
        EXPECT_EQ(decode_integers(sum->bytes()), expected) << "seed " << seed;
      }
    }
    EXPECT_EQ(whole, 2);
  }
}

TEST(Reducer, TakesTheMaximumOfCyclesAndTheSumOfWork) {
  Reducer reducer({"a", "b"});
  EXPECT_FALSE(reducer.add(1, frame(FrameType::Stats, 0, {100, 1, 2, 3})));
  const auto sum = reducer.add(0, frame(FrameType::Stats, 0, {90, 10, 20, 30}));
  ASSERT_TRUE(sum);
  EXPECT_EQ(decode_integers(sum->bytes()), (std::vector<std::int64_t>{100, 11, 22, 33}));
}

TEST(Reducer, NamesWhoBreaksTheRules) {
  const auto says = [](auto action, const std::string& name) {
    try {
      action();
      ADD_FAILURE() << "nothing thrown";
    } catch (const SwarmError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  };
  Reducer reducer({"wafer 4", "wafer 5"});
  reducer.add(0, frame(FrameType::Gradient, 1, {1}));
  EXPECT_EQ(reducer.waiting_for(1), "step 3, round 1");
  says([&] { reducer.add(0, frame(FrameType::Gradient, 1, {1})); }, "wafer 4");
  says([&] { reducer.add(1, frame(FrameType::Gradient, 1, {1, 2})); }, "wafer 5");
  says([&] { reducer.add(1, frame(FrameType::Begin, 1, {1})); }, "wafer 5");
  Reducer incomplete({"wafer 4", "wafer 5"});
  incomplete.add(0, frame(FrameType::Gradient, 1, {1}));
  incomplete.add(0, frame(FrameType::Stats, 0, {1, 1, 1, 1}));
  says([&] { incomplete.add(1, frame(FrameType::Stats, 0, {1, 1, 1, 1})); }, "wafer 5");
}

TEST(Reducer, GradientsThatNoWaferSendsAreRefused) {
  for (const std::int64_t sign : {1, -1}) {
    Reducer reducer({"a", "b"});
    reducer.add(0, frame(FrameType::Gradient, 1, {1, sign * (INT64_MAX - 1), 1}));
    EXPECT_THROW(reducer.add(1, frame(FrameType::Gradient, 1, {1, sign * 4, 1})), CorruptFrame);
  }
}

TEST(Reducer, ALossThatOverflowsIsReported) {
  Reducer reducer({"a", "b"});
  reducer.add(0, frame(FrameType::Loss, 1, {INT64_MAX, 1}));
  EXPECT_THROW(reducer.add(1, frame(FrameType::Loss, 1, {1, 1})), SwarmError);
}

}  // namespace
}  // namespace weft
