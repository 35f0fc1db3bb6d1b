/// Biases: all rows have the always-one feature, so any row may hold an output's bias; the work must be balanced.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "sw/compiler/compile.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "sw/compiler/stream/gradient_order.hpp"

namespace weft::compiler {
namespace {

/// The row that adds an output's bias, and the row that adds the residual; -1: none.
struct Extra {
  int bias = -1, residual = -1;
};

bool is_bias(const Plan& plan, std::uint64_t parameter) {
  const auto of = std::ranges::find_if(
      plan.tensors, [&](const TensorInfo& t) { return parameter >= t.offset && parameter - t.offset < t.size; });
  return of != plan.tensors.end() && of->name.ends_with(".bias");
}

/// The extras of each output of a stream. A gradient's indices carry no parameters: its words return in this order.
std::vector<Extra> extras(const Plan& plan, const Op& op) {
  std::vector<Extra> outputs(1);
  std::vector<std::size_t> next(static_cast<std::size_t>(plan.wafer.rows), 0);
  const auto order =
      op.returns == Returns::Gradient ? gradient_parameters(op) : std::vector<std::vector<std::uint64_t>>{};
  for (const StreamEntry& entry : entries(op)) {
    const auto row = static_cast<std::size_t>(entry.data >> 16 >> plan.wafer.row_shift());
    if (entry.source == StreamEntry::kCtrl) {
      if (entry.data >> 24 == static_cast<unsigned>(machine::Command::CR)) outputs.emplace_back();
    } else if (op.returns == Returns::Gradient) {
      if (is_bias(plan, order[row][next[row]++])) outputs.back().bias = static_cast<int>(row);
    } else if (entry.source == StreamEntry::kLiteral) {
      outputs.back().residual = static_cast<int>(row);
    } else if (is_bias(plan, entry.source)) {
      outputs.back().bias = static_cast<int>(row);
    }
  }
  outputs.pop_back();
  return outputs;
}

std::vector<Extra> extras(const Plan& plan, const std::string& name) {
  return extras(plan, *std::ranges::find(plan.ops, name, &Op::name));
}

/// The outputs of a home row are consecutive: among as many outputs as there are rows, each row has one bias.
TEST(BiasRows, TakeTurnsInAGradient) {
  for (const int rows : {3, 4}) {
    const Plan plan = compile({}, {.rows = rows});
    for (const char* name : {"h.0.mlp.c_proj.dw", "h.1.mlp.c_proj.dw"}) {
      SCOPED_TRACE(name);
      const std::vector<Extra> outputs = extras(plan, name);
      int others = 0;
      for (std::size_t o = 1; o < outputs.size(); ++o) others += outputs[o].bias != (outputs[o - 1].bias + 1) % rows;
      EXPECT_LE(others, rows - 1);  // between one home row and the next
    }
  }
}

TEST(BiasRows, AreNotThatOfTheResidual) {
  const Plan plan = compile({}, {});
  for (const char* name : {"h.0.attn.c_proj", "h.1.mlp.c_proj"})
    for (const Extra& output : extras(plan, name)) {
      ASSERT_GE(output.bias, 0);
      ASSERT_GE(output.residual, 0);
      EXPECT_TRUE(output.residual == 0 || output.bias != output.residual);
    }
}

}  // namespace
}  // namespace weft::compiler
