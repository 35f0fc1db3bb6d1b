/// A micro-batch on the functional model, compared with GPT-2 in double precision: loss and each tensor's gradient.
#include <gtest/gtest.h>

#include <cmath>

#include "host/memoryx/pruning.hpp"
#include "sw/compiler/compile.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/compiler/shape_case.hpp"
#include "tests/reference/gpt.hpp"

namespace weft::compiler {
namespace {

machine::WaferShape mesh(int rows, int cols, int valves = 1) {
  machine::WaferShape w;
  w.rows = rows, w.cols = cols, w.valves = valves;
  return w;
}

machine::WaferShape long_sequences(int rows, int cols, int columns) {
  machine::WaferShape w = mesh(rows, cols);
  w.sequence_columns = columns;
  return w;
}

ModelShape shared_keys(ModelShape m) {
  m.attention = "shared";
  return m;
}

machine::WaferShape with_lanes(machine::WaferShape w, int lanes) {
  w.lanes = lanes, w.sram_kib = 64;
  return w;
}

class Gradient : public testing::TestWithParam<Case> {};

/// A micro-batch on the wafer and in doubles; gradients only of the weights in the plan's masks.
struct Both {
  std::vector<double> ours, theirs;

  explicit Both(const Plan& plan) {
    const ModelShape& m = plan.model;
    auto parameters = random_parameters(plan, 7);
    prune(plan.tensors, plan.mask, parameters);
    const auto inputs = random_tokens(plan, m.micro_batch, 1), labels = random_tokens(plan, m.micro_batch, 2);
    const auto wafer = make_model_wafer(plan.wafer);
    const MicroBatchRun run = run_micro_batch(plan, *wafer, parameters, inputs, labels);
    EXPECT_EQ(wafer->flags(), "");
    const reference::ReferenceResult reference = reference::reference_gpt(m, plan.tensors, parameters, inputs, labels);
    const double tokens = static_cast<double>(inputs.size());
    EXPECT_NEAR(run.loss_sum / tokens, reference.loss_sum / tokens, 0.01);
    ours = run.grad, theirs = reference.grad;
    const std::vector<bool> kept = kept_parameters(plan.tensors, plan.mask);
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if (kept[k]) continue;
      EXPECT_EQ(ours[k], 0) << "a gradient nobody asked for";
      theirs[k] = 0;
    }
  }

  /// Checks that the elements from `first` on have the same direction and length in both gradients.
  void compare(const std::string& name, std::uint64_t first, std::uint64_t size) const {
    double dot = 0, our = 0, their = 0;
    for (std::uint64_t k = first; k < first + size; ++k) {
      dot += ours[k] * theirs[k];
      our += ours[k] * ours[k];
      their += theirs[k] * theirs[k];
    }
    if (our == 0 && their == 0) return;  // an empty mask
    EXPECT_GE(dot / std::sqrt(our * their), 0.999) << name;
    EXPECT_NEAR(std::sqrt(our / their), 1, 0.03) << name;
  }
};

void follows_the_reference(const Plan& plan) {
  const Both both(plan);
  for (const TensorInfo& t : plan.tensors) both.compare(t.name, t.offset, t.size);
}

TEST_P(Gradient, EveryTensorMatchesTheReference) { follows_the_reference(compile(GetParam().model, GetParam().wafer)); }

/// Random masks on all matrices, including embeddings.
Mask random_masks(const Case& c, double sparsity) {
  Mask mask;
  for (const TensorInfo& t : compile(c.model, c.wafer).tensors)
    if (t.dims.size() == 2) mask[t.name] = memoryx::random_mask(t.name, t.size, sparsity, 5);
  return mask;
}

void masked_follows_the_reference(const Case& c, double sparsity) {
  SCOPED_TRACE(sparsity);
  follows_the_reference(compile(c.model, c.wafer, random_masks(c, sparsity)));
}

TEST_P(Gradient, MaskedGradientMatchesTheReference) {
  for (const double sparsity : {0.5, 0.9}) masked_follows_the_reference(GetParam(), sparsity);
}

/// A matrix keeps a few weights or none. Some tensors' gradients are then nearly zero, below the bf16 error of the
/// others, so all of them are compared as one vector.
void few_weights_follow_the_reference(const Case& c) {
  const Plan plan = compile(c.model, c.wafer, random_masks(c, 0.99));
  Both(plan).compare("all", 0, plan.parameters);
}

TEST_P(Gradient, FollowsTheReferenceWithFewWeights) { few_weights_follow_the_reference(GetParam()); }

/// Inputs and outputs without any weight, and a matrix without any.
void with_gaps_follows_the_reference(const Case& c) {
  Mask mask;
  for (const TensorInfo& t : compile(c.model, c.wafer).tensors) {
    if (t.dims.size() != 2) continue;
    std::vector<bool>& bits = mask[t.name] = std::vector<bool>(t.size, t.name != "h.0.mlp.c_fc.weight");
    for (std::uint64_t k = 0; k < t.size; ++k) {
      const auto row = k / static_cast<std::uint64_t>(t.dims[1]), column = k % static_cast<std::uint64_t>(t.dims[1]);
      if (row % 3 == 1 || column % 4 == 2) bits[k] = false;
    }
  }
  follows_the_reference(compile(c.model, c.wafer, mask));
}

TEST_P(Gradient, HoldsWithEmptyRowsColumnsAndMatrices) { with_gaps_follows_the_reference(GetParam()); }

/// A base reaches 64 slots: neither bias nor residual nor shift lie near the arrays kept for the backward pass.
const Case& many_rows() {
  static const Case c{"on_many_rows", shape(30, 16, 10, 2, 40, 4, true, 2), mesh(513, 1, 64)};
  return c;
}

TEST(GradientOnManyRows, EveryTensorMatchesTheReference) {
  follows_the_reference(compile(many_rows().model, many_rows().wafer));
}

/// Seconds each. Short siblings: dense, above; masks on 600 rows, without a wafer, in windows_test.cpp.
TEST(GradientOnManyRowsLong, MaskedGradientMatchesTheReference) {
  for (const double sparsity : {0.5, 0.9}) masked_follows_the_reference(many_rows(), sparsity);
}

TEST(GradientOnManyRowsLong, FollowsTheReferenceWithFewWeights) { few_weights_follow_the_reference(many_rows()); }

TEST(GradientOnManyRowsLong, HoldsWithEmptyRowsColumnsAndMatrices) { with_gaps_follows_the_reference(many_rows()); }

INSTANTIATE_TEST_SUITE_P(
    Shapes, Gradient,
    testing::Values(
        Case{"one_tile", shape(11, 8, 1, 2, 12, 8, true, 1), mesh(1, 1)},
        Case{"two_rows", shape(11, 8, 1, 2, 12, 8, true, 1), mesh(2, 1)},
        Case{"tiny", shape(96, 32, 2, 4, 128, 32, true, 4), mesh(4, 4)},
        Case{"oblong_untied", shape(90, 24, 3, 3, 80, 16, false, 3), mesh(2, 3)},
        Case{"spread_heads", shape(30, 24, 1, 2, 40, 12, true, 2), mesh(5, 2, 3)},
        Case{"three_heads", shape(30, 24, 1, 3, 40, 13, true, 5), mesh(4, 3, 2)},
        Case{"over_two_columns", shape(11, 8, 1, 2, 12, 8, true, 1), long_sequences(1, 2, 2)},
        Case{"over_four_columns", shape(96, 32, 2, 4, 128, 62, true, 3), long_sequences(4, 8, 4)},
        Case{"a_turn_beyond_r", shape(30, 24, 1, 2, 40, 72, true, 1), long_sequences(2, 2, 2)},
        Case{"several_gathers", shape(30, 24, 1, 2, 40, 80, true, 1), long_sequences(5, 7, 7)},
        Case{"shared_keys", shared_keys(shape(30, 24, 1, 2, 40, 36, true, 3)), long_sequences(5, 6, 3)},
        Case{"shared_in_batches", shared_keys(shape(30, 24, 1, 2, 40, 80, true, 1)), long_sequences(5, 7, 7)},
        Case{"shared_and_queries", shared_keys(shape(30, 64, 1, 1, 40, 45, true, 1)), long_sequences(40, 4, 4)},
        Case{"shared_uneven_keys", shared_keys(shape(30, 24, 2, 1, 40, 30, true, 2)), long_sequences(8, 4, 2)},
        Case{"shared_sets_of_keys", shared_keys(shape(30, 128, 1, 1, 40, 23, true, 1)), long_sequences(4, 3, 3)},
        Case{"shared_beside_spare", shared_keys(shape(30, 24, 1, 2, 40, 36, true, 3)), long_sequences(5, 8, 3)},
        Case{"beside_free_columns", shape(30, 24, 1, 2, 40, 36, true, 3), long_sequences(5, 5, 3)},
        Case{"shared_two_lanes", shared_keys(shape(30, 24, 1, 3, 40, 13, true, 5)),
             with_lanes(long_sequences(12, 4, 2), 2)},
        Case{"shared_sixteen_lanes", shared_keys(shape(30, 24, 1, 3, 40, 90, true, 2)),
             with_lanes(long_sequences(9, 3, 3), 16)},
        Case{"columns_and_rows", shape(30, 24, 1, 2, 40, 36, true, 3), long_sequences(5, 3, 3)}),
    case_name);

}  // namespace
}  // namespace weft::compiler
