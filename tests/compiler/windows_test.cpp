/// Reach of a base, and plans whose arrays lie too far apart for one base.
#include "sw/compiler/lower/windows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "sw/compiler/compile.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "sw/compiler/stream/gradient_order.hpp"

namespace weft::compiler {
namespace {

std::string cut(const std::vector<Reached>& arrays) {
  std::string text;
  for (const Window& w : windows(arrays, 4, 8))
    text += std::to_string(w.base) + ":" + std::to_string(w.first) + "+" + std::to_string(w.count) + " ";
  return text;
}

TEST(Windows, AreAsFewAsReachAll) {
  EXPECT_EQ(cut({{100, 8}}), "100:0+1 ");
  EXPECT_EQ(cut({{100, 2}, {132, 1}}), "100:0+1 132:1+1 ");
  EXPECT_EQ(cut({{100, 2}, {128, 1}}), "100:0+2 ");
  EXPECT_EQ(cut({{128, 1}, {100, 2}}), "100:0+2 ") << "a base is the lowest";
  EXPECT_EQ(cut({{100, 1}, {110, 1}}), "100:0+1 110:1+1 ") << "no whole number of slots apart";
  EXPECT_EQ(cut({{100, 1}, {400, 1}, {100, 1}, {104, 1}}), "100:0+1 400:1+1 100:2+2 ") << "in their order";
}

/// 257 rows leave 128 slots to an index, 600 rows leave 64.
Plan on_many_rows(const char* network, int rows, double kept) {
  ModelShape m{.vocab = 30, .hidden = 16, .layers = 20, .heads = 2, .filter = 40, .seq = 4, .micro_batch = 1};
  m.network = network;
  if (m.network == "gptj") m.rotary_dim = 4;
  const machine::WaferShape w{.rows = rows, .cols = 1};
  Mask mask;
  std::mt19937 random(1);
  for (const TensorInfo& t : compile(m, w).tensors)
    for (std::uint64_t k = 0; kept < 1 && t.dims.size() == 2 && k < t.size; ++k)
      mask[t.name].push_back(random() % 1000 < 1000 * kept);
  return compile(m, w, mask);
}

/// Number of times that a plan's ops return each parameter's gradient.
std::vector<int> returns_of(const Plan& plan) {
  std::vector<int> returns(plan.parameters);
  for (const Op& op : plan.ops)
    if (op.returns == Returns::Gradient)
      for (const auto& row : gradient_parameters(op))
        for (const std::uint64_t parameter : row) ++returns[parameter];
  return returns;
}

TEST(Windows, APlanOfManyAsksForEachGradientAsOfOne) {
  for (const char* network : {"gpt2", "gptj"}) {
    for (const double kept : {1.0, 0.3}) {
      const Plan near = on_many_rows(network, 3, kept), far = on_many_rows(network, 600, kept);
      EXPECT_EQ(near.program.kernel("gemm_2_rotating"), nullptr);
      ASSERT_NE(far.program.kernel("gemm_2_rotating"), nullptr);
      EXPECT_GT(far.ops.size(), near.ops.size());
      const auto shifts = [](const Op& op) { return op.descriptor.own.size() == 2 && op.descriptor.own[1].line == 1; };
      EXPECT_GT(std::ranges::count_if(far.ops, shifts), 0) << "affine_2";
      EXPECT_TRUE(returns_of(near) == returns_of(far)) << network << " " << kept;
    }
  }
}

}  // namespace
}  // namespace weft::compiler
