/// The plan of a mask update by gradients: it returns gradients of pruned weights too, and those of kept weights with
/// the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "host/memoryx/pruning.hpp"
#include "sw/compiler/compile.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/compiler/shape_case.hpp"

namespace weft::compiler {
namespace {

class Growing : public testing::TestWithParam<Case> {};

Mask tenth(const std::vector<TensorInfo>& tensors) {
  Mask mask;
  for (const TensorInfo& t : tensors)
    if (t.dims.size() == 2) mask[t.name] = memoryx::random_mask(t.name, t.size, 0.9, 1);
  return mask;
}

MicroBatchRun run(const Plan& plan, const std::vector<float>& parameters) {
  const auto wafer = make_model_wafer(plan.wafer);
  const int sequences = plan.model.micro_batch;
  return run_micro_batch(plan, *wafer, parameters, random_tokens(plan, sequences, 2),
                         random_tokens(plan, sequences, 3));
}

TEST_P(Growing, HasTheBitsOfTheSparsePlanAndTheOtherGradients) {
  const Case& c = GetParam();
  const Plan dense = compile(c.model, c.wafer);
  const Mask mask = tenth(dense.tensors);
  const Plan sparse = compile(c.model, c.wafer, mask), growing = with_mask(sparse, mask, Gradients::OfAll);
  EXPECT_EQ(growing.token_index, sparse.token_index);
  EXPECT_EQ(growing.load, sparse.load) << "the wafer's program and placement";
  std::vector<float> parameters = random_parameters(dense, 1);
  prune(sparse.tensors, mask, parameters);
  const MicroBatchRun own = run(sparse, parameters), all = run(growing, parameters), zeros = run(dense, parameters);
  EXPECT_EQ(own.loss_sum, all.loss_sum);
  const std::vector<bool> kept = kept_parameters(sparse.tensors, mask);
  double largest = 0;
  for (std::size_t k = 0; k < kept.size(); ++k)
    if (!kept[k]) largest = std::max(largest, std::abs(zeros.grad[k]));
  ASSERT_GT(largest, 0);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (kept[k]) {
      ASSERT_EQ(own.grad[k], all.grad[k]) << k;
    } else {  // with another placement rows are summed in another order
      ASSERT_NEAR(all.grad[k], zeros.grad[k], 0.02 * largest) << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Growing,
                         testing::Values(Case{"one_tile", shape(11, 8, 1, 2, 12, 8, true, 1), {.rows = 1, .cols = 1}},
                                         Case{"tiny", shape(96, 32, 2, 4, 128, 32, true, 4), {.rows = 4, .cols = 4}},
                                         Case{"untied", shape(90, 24, 1, 3, 40, 16, false, 3), {.rows = 2, .cols = 3}}),
                         case_name);

}  // namespace
}  // namespace weft::compiler
