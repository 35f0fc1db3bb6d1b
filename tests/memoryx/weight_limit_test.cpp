/// A run whose weights exceed the limit is reported, with the tensor's name.
#include "host/memoryx/weight_limit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "host/memoryx/fixed_point.hpp"
#include "host/memoryx/memoryx.hpp"
#include "tests/compiler/listed_stream.hpp"

namespace weft::memoryx::weight_limit_test {
namespace {

constexpr std::uint32_t kSize = 200000;

/// "still" gets no gradient, "moved" gets one in its second half.
compiler::Plan two_tensors() {
  compiler::Plan plan;
  plan.tensors = {{"still", {kSize}, 0, kSize, true, 0.02F, 0}, {"moved", {kSize}, kSize, kSize, true, 0.02F, 0}};
  plan.parameters = 2 * kSize;
  plan.ops.resize(1);
  std::vector<std::uint64_t> second_half;
  for (std::uint32_t i = 0; i < kSize / 2; ++i) second_half.push_back(kSize + kSize / 2 + i);
  compiler::return_gradients(plan.ops[0], {second_half});
  return plan;
}

std::optional<std::string> after_a_step(double learning_rate, unsigned threads) {
  const compiler::Plan plan = two_tensors();
  MemoryXOptions options;
  options.learning_rate = LearningRate(learning_rate);
  options.threads = threads;
  MemoryX memoryx(plan, options);
  EXPECT_EQ(memoryx.diverged(), std::nullopt);
  memoryx.begin_step(1);
  memoryx.add(0, 0, std::vector<std::int64_t>(kSize / 2, std::int64_t{-3} << kGradientBits));
  memoryx.apply(0, 10);
  return memoryx.diverged();
}

TEST(WeightLimit, AStepThatLeavesTheNumbersIsNamed) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    EXPECT_EQ(after_a_step(1e-3, threads), std::nullopt);
    EXPECT_EQ(after_a_step(1e37, threads),
              "moved has a weight of 1e+37: its element 100000, and 99999 others of its 200000, are not below 2^20");
    // A learning rate beyond fp32's range turns unchanged weights into NaN.
    EXPECT_EQ(after_a_step(1e38, threads),
              "still has a weight of NaN: its element 0, and 199999 others of its 200000, are not below 2^20");
  }
}

TEST(WeightLimit, IsSharp) {
  const float below = std::nextafter(kWeightLimit, 0.0F), infinity = std::numeric_limits<float>::infinity();
  const std::vector<compiler::TensorInfo> tensors{{"a", {3}, 0, 3, false, 0, 0}, {"b", {2}, 3, 2, false, 0, 0}};
  EXPECT_EQ(beyond_weight_limit(tensors, std::vector{0.0F, below, -below, below, 1.0F}), std::nullopt);
  EXPECT_EQ(beyond_weight_limit(tensors, std::vector{0.0F, below, -below, below, -kWeightLimit}),
            "b has a weight of -1.04858e+06: its element 1 of 2 is not below 2^20");
  for (const float bad : {kWeightLimit, -kWeightLimit, infinity, -infinity, std::nanf(""), -std::nanf("")})
    EXPECT_NE(beyond_weight_limit(tensors, std::vector{0.0F, 0.0F, bad, 0.0F, 0.0F}), std::nullopt) << bad;
}

}  // namespace
}  // namespace weft::memoryx::weight_limit_test
