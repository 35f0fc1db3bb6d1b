/// Wide gradients broadcast x and index the deltas: fewer outputs, and the same bits.
#include <gtest/gtest.h>

#include <algorithm>

#include "host/memoryx/pruning.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/compiler/shape_case.hpp"

namespace weft::compiler {
namespace {

class IndexedDeltas : public testing::TestWithParam<Case> {};

/// A mask that keeps a tenth of each of the blocks' matrices.
Mask tenth(const Plan& dense) {
  Mask mask;
  for (const TensorInfo& t : dense.tensors)
    if (t.name.starts_with("h.") && t.dims.size() == 2) mask[t.name] = memoryx::random_mask(t.name, t.size, 0.9, 1);
  return mask;
}

int outputs(const Plan& plan, const std::string& name) {
  const auto op = std::ranges::find(plan.ops, name, &Op::name);
  if (op == plan.ops.end()) return 0;
  return static_cast<int>(std::ranges::count_if(entries(*op), [](const StreamEntry& e) {
    return e.source == StreamEntry::kCtrl && e.data >> 24 == static_cast<unsigned>(machine::Command::CR);
  }));
}

/// A dense plan multiplies by zero where the sparse plan has no weight. If rows have unequal numbers of heads, the
/// dense plan broadcasts deltas and the sparse one x.
TEST_P(IndexedDeltas, GiveTheBitsOfADensePlan) {
  const Plan dense = compile(GetParam().model, GetParam().wafer),
             sparse = compile(GetParam().model, GetParam().wafer, tenth(dense), Placement::InOrder);
  std::vector<float> parameters = random_parameters(dense, 1);
  prune(sparse.tensors, sparse.mask, parameters);
  const auto run = [&](const Plan& plan) {
    const auto wafer = make_model_wafer(plan.wafer);
    const int sequences = plan.model.micro_batch;
    return run_micro_batch(plan, *wafer, parameters, random_tokens(plan, sequences, 2),
                           random_tokens(plan, sequences, 3));
  };
  MicroBatchRun zeros = run(dense);
  const MicroBatchRun none = run(sparse);
  const std::vector<bool> kept = kept_parameters(sparse.tensors, sparse.mask);
  for (std::size_t k = 0; k < kept.size(); ++k)
    if (!kept[k]) zeros.grad[k] = 0;
  EXPECT_EQ(none.loss_sum, zeros.loss_sum);
  EXPECT_TRUE(none.grad == zeros.grad);
}

TEST_P(IndexedDeltas, HaveAnOutputForEachFeatureWhereShorter) {
  const ModelShape& model = GetParam().model;
  const Plan dense = compile(model, GetParam().wafer), sparse = compile(model, GetParam().wafer, tenth(dense));
  const bool uneven = model.heads > GetParam().wafer.rows && GetParam().wafer.rows > 1;  // true for all of the layer
  // The biases are one more output.
  EXPECT_EQ(outputs(dense, "h.0.attn.c_attn.dw"), uneven ? 0 : model.hidden + 1);
  EXPECT_EQ(outputs(dense, "h.0.attn.c_attn.k.dw"), uneven ? model.hidden : 0);
  EXPECT_EQ(outputs(sparse, "h.0.attn.c_attn.dw"), model.hidden + 1);
  for (const Plan& plan : {dense, sparse}) {
    EXPECT_EQ(outputs(plan, "h.0.mlp.c_fc.dw"), model.filter > model.hidden ? model.hidden + 1 : model.filter);
    EXPECT_EQ(outputs(plan, "h.0.mlp.c_proj.dw"), model.filter < model.hidden ? model.filter + 1 : model.hidden);
    EXPECT_EQ(outputs(plan, "lm_head.dw"), std::min(model.vocab, model.hidden));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, IndexedDeltas,
    testing::Values(Case{"one_tile", shape(11, 8, 1, 2, 12, 8, true, 1), {.rows = 1, .cols = 1}},
                    Case{"tiny", shape(96, 32, 2, 4, 128, 32, true, 4), {.rows = 4, .cols = 4}},
                    Case{"narrow_filter", shape(90, 24, 1, 3, 20, 16, false, 3), {.rows = 2, .cols = 3}},
                    Case{"spread_heads", shape(30, 24, 1, 2, 40, 12, true, 2), {.rows = 5, .cols = 2}},
                    Case{"five_heads", shape(30, 80, 1, 5, 40, 13, true, 4), {.rows = 4, .cols = 2}},
                    Case{"three_heads", shape(30, 24, 1, 3, 40, 13, true, 5), {.rows = 4, .cols = 3}}),
    case_name);

}  // namespace
}  // namespace weft::compiler
