/// Multiply-adds that a model itself needs.
#include "host/planning/model_work.hpp"

#include <gtest/gtest.h>

#include "sw/compiler/compile.hpp"

namespace weft::planning {
namespace {

compiler::ModelShape small_model(const std::string& network) {
  return {.vocab = 24, .hidden = 16, .layers = 3, .heads = 2, .filter = 40, .seq = 7, .network = network};
}

TEST(WorkOfAModel, CountsMatricesAndAttentionThreeTimes) {
  const double block = 4 * 16 * 16 + 2 * 16 * 40 + 16 * (7 + 1);
  EXPECT_EQ(model_multiply_adds(small_model("gpt2")), 3 * (3 * block + 16 * 24)) << "positions are added";
  compiler::ModelShape gptj = small_model("gptj");
  gptj.rotary_dim = 4;
  gptj.tied = false;
  EXPECT_EQ(model_multiply_adds(gptj), 3 * (3 * block + 16 * 24)) << "the token embedding is looked up";
}

TEST(WorkOfAModel, LeavesPrunedWeightsOut) {
  std::vector<bool> half(16 * 40, true);
  std::fill(half.begin(), half.begin() + 320, false);
  const compiler::ModelShape model = small_model("gpt2");
  EXPECT_EQ(model_multiply_adds(model, {{"h.1.mlp.c_fc.weight", half}}), model_multiply_adds(model) - 3 * 320);
}

TEST(WorkOfAModel, IsDividedByTheLanesOfAllGroups) {
  compiler::ModelShape model = small_model("gpt2");
  model.micro_batch = 2;
  const compiler::Plan plan = compiler::compile(model, {.rows = 4, .cols = 2, .valves = 4, .row_groups = 3});
  EXPECT_DOUBLE_EQ(share_of_lanes(plan, 1000), model_multiply_adds(model) * 6 * 7 / (1000.0 * 12 * 2 * 4));
}

}  // namespace
}  // namespace weft::planning
