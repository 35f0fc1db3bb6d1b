#include "host/memoryx/memoryx.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "host/memoryx/fixed_point.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/stream/gradient_order.hpp"
#include "tests/memoryx/small_plan.hpp"

namespace weft::memoryx {
namespace {

TEST(MemoryX, BitsDependOnNeitherThreadsNorParts) {
  const compiler::Plan plan = small_plan(200000);
  double norm = 0;
  const std::uint64_t hash = train(plan, 1, 1 << 20, &norm);
  for (const unsigned threads : {2U, 3U, 7U}) {
    double other = 0;
    EXPECT_EQ(hash, train(plan, threads, 1000, &other));
    EXPECT_EQ(norm, other);
  }
}

TEST(MemoryX, AddsEachWordToItsParameter) {
  const compiler::Plan plan = small_plan(10);
  ExactSum sum(plan);
  std::vector<std::int64_t> expected(plan.parameters);
  std::vector<std::int64_t> values;
  for (const std::size_t op : {1U, 2U}) {
    values.clear();
    for (const auto& row : compiler::gradient_parameters(plan.ops[op])) {
      for (const std::uint64_t parameter : row) {
        values.push_back(static_cast<std::int64_t>(values.size() + 100 * op));
        expected[parameter] += values.back();
      }
    }
    for (std::size_t at = 0; at < values.size(); at += 4) {
      sum.add(op, at, std::span(values).subspan(at, std::min<std::size_t>(4, values.size() - at)));
    }
  }
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(sum.sums()[i], expected[i]);
  double square = 0;
  for (const std::int64_t x : expected) square += static_cast<double>(x * x);
  Pool alone(0);
  EXPECT_NEAR(ExactSum::norm(sum.squares(0.5, alone)), 0.5 * std::sqrt(square), 1e-9);
}

TEST(MemoryX, ClippingBoundsWhatTheOptimizerSees) {
  const compiler::Plan plan = small_plan(100);
  MemoryXOptions options;
  options.optimizer.max_gradient_norm = 1;
  MemoryX memoryx(plan, options);
  memoryx.begin_step(1);
  memoryx.add(1, 0, std::vector<std::int64_t>(105, std::int64_t{30} << kGradientBits));
  const Applied applied = memoryx.apply(0, 10);
  EXPECT_NEAR(applied.clip, 1 / (3 * std::sqrt(105.0)), 1e-7);
  EXPECT_NEAR(memoryx.finish_update().gradient_norm, 3 * std::sqrt(105.0), 1e-9);
  double square = 0;
  for (const float m : memoryx.store().first_moments()) square += static_cast<double>(m) * m;
  EXPECT_NEAR(std::sqrt(square), 0.1, 1e-6);  // (1 - beta1) * 1
}

TEST(MemoryX, ForgetsAStepThatWasNotApplied) {
  const compiler::Plan plan = small_plan(100);
  MemoryX memoryx(plan, {});
  memoryx.begin_step(1);
  memoryx.add(1, 0, std::vector<std::int64_t>(105, 12345));
  memoryx.begin_step(1);
  memoryx.apply(0, 10);
  EXPECT_EQ(memoryx.finish_update().gradient_norm, 0);
}

TEST(MemoryX, MaskedWeightsAreZeroAndStayZero) {
  compiler::Plan plan = small_plan(100);
  plan.mask["a"] = std::vector<bool>(100, true);
  for (std::size_t k = 0; k < 100; k += 3) plan.mask["a"][k] = false;
  const auto kept = std::make_shared<const std::vector<bool>>(compiler::kept_parameters(plan.tensors, plan.mask));
  for (compiler::Op& op : plan.ops) op.descriptor.kept = kept;
  MemoryXOptions options;
  options.optimizer.weight_decay = 0.1;
  MemoryX memoryx(plan, options);
  for (std::uint64_t step = 0; step < 3; ++step) {
    memoryx.begin_step(1);
    std::size_t words = 0;
    for (const auto& row : compiler::gradient_parameters(plan.ops[1])) words += row.size();
    memoryx.add(1, 0, std::vector<std::int64_t>(words, std::int64_t{3} << kGradientBits));
    memoryx.apply(step, 10);
    ParameterStore& store = memoryx.store();
    for (std::size_t k = 0; k < 100; ++k) {
      EXPECT_EQ(store.weights()[k] == 0, k % 3 == 0) << k;
      EXPECT_EQ(store.first_moments()[k] == 0, k % 3 == 0) << k;
      EXPECT_EQ(store.second_moments()[k] == 0, k % 3 == 0) << k;
    }
  }
}

TEST(MemoryX, ASumThatWouldWrapIsReported) {
  const compiler::Plan plan = small_plan(10);
  ExactSum sum(plan);
  sum.add(2, 0, std::vector<std::int64_t>{INT64_MAX});
  EXPECT_THROW(sum.add(2, 0, std::vector<std::int64_t>{1}), GradientOverflow);
}

TEST(MemoryX, RefusesAGlobalBatchThatMightOverflow) {
  const compiler::Plan plan = small_plan(10);
  MemoryX memoryx(plan, {});
  memoryx.begin_step(2048);  // each micro-batch gives "a" two gradients
  try {
    memoryx.begin_step(2049);
    FAIL();
  } catch (const Refusal& error) {
    EXPECT_NE(std::string(error.what()).find("HINT"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace weft::memoryx
