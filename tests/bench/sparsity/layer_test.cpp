/// A transformer block's ops, as `weft-bench layer` and `figure5` count them.
#include "bench/sparsity/layer.hpp"

#include <gtest/gtest.h>

namespace weft::bench {
namespace {

constexpr LayerShape kSmall{.rows = 2, .cols = 1, .hidden = 64, .heads = 2, .seq = 16, .sequences = 2};

TEST(Layer, CountsTheBlockAndOfItTheMatrices) {
  const compiler::Plan plan = layer_plan(kSmall, 0.9);
  std::vector<std::uint64_t> cycles;
  const auto only = [&](auto&& chosen) {
    cycles.clear();
    for (const compiler::Op& op : plan.ops) cycles.push_back(chosen(op.name) ? 1 : 0);
    return layer_cycles(plan, cycles);
  };
  for (const char* name : {"h.0.attn.c_attn.q", "h.0.mlp.c_proj", "h.0.mlp.c_proj.dx", "h.0.attn.c_attn.dx",
                           "h.0.attn.c_attn.dw", "h.0.mlp.c_fc.dw"}) {
    SCOPED_TRACE(name);
    const LayerCycles one = only([&](const std::string& op) { return op == name; });
    EXPECT_EQ(one.all, 1U);
    EXPECT_EQ(one.matrices, 1U);
  }
  for (const char* name : {"h.0.attn", "h.0.ln_1.affine", "h.0.mlp.gelu.dx", "h.0.ln_2.dw"}) {
    SCOPED_TRACE(name);
    const LayerCycles one = only([&](const std::string& op) { return op == name; });
    EXPECT_EQ(one.all, 1U);
    EXPECT_EQ(one.matrices, 0U);
  }
  EXPECT_EQ(only([](const std::string& op) { return op.find("h.0.") == std::string::npos; }).all, 0U);
}

TEST(Layer, AtNinetyPercentItsMatricesTakeAQuarterOfTheCyclesAtMost) {
  const LayerCycles dense = rtl_layer_cycles(layer_plan(kSmall, 0)), sparse = rtl_layer_cycles(layer_plan(kSmall, 0.9));
  EXPECT_LT(4 * sparse.matrices, dense.matrices);
  EXPECT_LT(dense.all - dense.matrices, 1.1 * static_cast<double>(sparse.all - sparse.matrices));
}

}  // namespace
}  // namespace weft::bench
