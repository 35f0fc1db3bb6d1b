/// Sums of the gradients of matrices, whose neighbouring parameters are added together.
#include "host/memoryx/exact_sum.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "host/memoryx/fixed_point.hpp"
#include "sw/compiler/stream/gradient_order.hpp"
#include "tests/compiler/matrix_op.hpp"

namespace weft::memoryx {
namespace {

/// A plan with one matrix and its bias, which cross a shard. `transposed`: neighbours are inputs, not outputs.
compiler::Plan plan_of(int inputs, int outputs, bool transposed) {
  compiler::Plan plan;
  plan.ops = {compiler::matrix(inputs, outputs, 7, compiler::StreamDescriptor::Values::Indices)};
  compiler::StreamDescriptor::Input& in = plan.ops[0].descriptor.lines[0][0];
  in.in_stride = transposed ? 1 : static_cast<std::uint64_t>(outputs);
  in.out_stride = transposed ? static_cast<std::uint64_t>(inputs) : 1;
  plan.ops[0].returns = compiler::Returns::Gradient;
  plan.parameters = compiler::parameters_end(plan.ops[0].descriptor);
  plan.tensors = {{"a", {static_cast<int>(plan.parameters)}, 0, plan.parameters, true, 0.02F, 0}};
  return plan;
}

TEST(ExactSum, AddsEachWordToItsParameter) {
  for (const bool transposed : {false, true}) {
    for (const int outputs : {5, 1003}) {
      const compiler::Plan plan = plan_of(transposed || outputs > 5 ? 70 : 14000, outputs, transposed);
      ExactSum sum(plan);
      std::mt19937_64 random(1);
      std::vector<std::int64_t> values(sum.words(0)), expected(plan.parameters);
      for (std::int64_t& value : values) value = static_cast<std::int64_t>(random()) >> 20;
      std::size_t word = 0;
      for (const auto& row : compiler::gradient_parameters(plan.ops[0]))
        for (const std::uint64_t parameter : row) expected[parameter] += 2 * values[word++];
      for (const std::size_t part : {std::size_t{3001}, values.size()})
        for (std::size_t at = 0; at < values.size(); at += part)
          sum.add(0, at, std::span(values).subspan(at, std::min(part, values.size() - at)));
      std::vector<std::int64_t> sums(plan.parameters);
      for (std::size_t shard = 0; shard < shard_count(sums.size()); ++shard)
        sum.read(shard, 0, std::span(sums).subspan(shard * kShard, std::min(kShard, sums.size() - shard * kShard)));
      EXPECT_TRUE(sums == expected) << transposed << " " << outputs;
    }
  }
}

TEST(ExactSum, ReportsEachSumThatWouldWrap) {
  const compiler::Plan plan = plan_of(16, 64, false);
  for (std::size_t word = 0; word < 1000; word += 37) {
    ExactSum sum(plan);
    std::vector<std::int64_t> values(sum.words(0));
    values[word] = INT64_MIN;
    sum.add(0, 0, values);
    EXPECT_THROW(sum.add(0, 0, values), GradientOverflow) << word;
  }
}

}  // namespace
}  // namespace weft::memoryx
