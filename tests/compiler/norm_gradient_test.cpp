/// Gradients of a norm's scale and shift, summed for several slots at a time, have the bits of a sum slot by slot.
#include <gtest/gtest.h>

#include <algorithm>

#include "host/memoryx/pruning.hpp"
#include "sw/compiler/compile.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/compiler/shape_case.hpp"

namespace weft::compiler {
namespace {

class NormGradient : public testing::TestWithParam<Case> {};

std::string kernel_of(const Plan& plan, const std::string& name) {
  const Op& op = *std::ranges::find(plan.ops, name, &Op::name);
  const auto address = static_cast<std::uint16_t>(op.commands.back().data);
  return std::ranges::find(plan.program.kernels, address, &assembler::Kernel::address)->name;
}

/// A mask without one shift, which makes each norm use the kernel for single slots.
Mask without_a_shift(const Plan& plan) {
  Mask mask;
  for (const TensorInfo& t : plan.tensors) {
    if (!t.name.ends_with(".bias") || t.name.find("ln_") == std::string::npos) continue;
    mask[t.name] = std::vector<bool>(t.size, true);
    mask[t.name].back() = false;
  }
  return mask;
}

TEST_P(NormGradient, HasTheBitsOfASlotAtATime) {
  const Plan together = compile(GetParam().model, GetParam().wafer),
             apart = compile(GetParam().model, GetParam().wafer, without_a_shift(together), Placement::InOrder);
  ASSERT_EQ(kernel_of(together, "ln_f.dw"), "gradient_norm");
  ASSERT_EQ(kernel_of(apart, "ln_f.dw"), "gradient_local");
  std::vector<float> parameters = random_parameters(together, 1);
  prune(apart.tensors, apart.mask, parameters);
  const auto run = [&](const Plan& plan) {
    const auto wafer = make_model_wafer(plan.wafer);
    const int sequences = plan.model.micro_batch;
    return run_micro_batch(plan, *wafer, parameters, random_tokens(plan, sequences, 2),
                           random_tokens(plan, sequences, 3));
  };
  const MicroBatchRun all = run(together), most = run(apart);
  const std::vector<bool> kept = kept_parameters(apart.tensors, apart.mask);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (kept[k]) {
      ASSERT_EQ(all.grad[k], most.grad[k]) << k;
    }
  }
}

/// Groups of 8 slots: part of a group, one and a part, rows with fewer slots, and more groups than R can rotate
/// through.
INSTANTIATE_TEST_SUITE_P(
    Shapes, NormGradient,
    testing::Values(Case{"three_slots", shape(20, 12, 1, 2, 16, 9, true, 2), {.rows = 4, .cols = 2}},
                    Case{"rows_of_eleven_and_ten", shape(20, 32, 2, 4, 16, 30, true, 3), {.rows = 3, .cols = 3}},
                    Case{"five_groups", shape(20, 36, 1, 2, 16, 20, false, 2), {.rows = 1, .cols = 2}},
                    Case{"two_lanes", shape(20, 28, 1, 2, 16, 11, true, 2), {.rows = 2, .cols = 1, .lanes = 2}},
                    Case{"sixteen_lanes", shape(20, 28, 1, 2, 16, 20, true, 2), {.rows = 2, .cols = 1, .lanes = 16}}),
    case_name);

/// If many rows share a valve, indices arrive too slowly for the sums.
TEST(NormGradients, GoSlotBySlotWhereIndicesAreLate) {
  ModelShape model = shape(20, 64, 1, 4, 16, 16, true, 1);
  EXPECT_EQ(kernel_of(compile(model, {.rows = 10, .cols = 1}), "ln_f.dw"), "gradient_norm");
  EXPECT_EQ(kernel_of(compile(model, {.rows = 11, .cols = 1}), "ln_f.dw"), "gradient_local");
  EXPECT_EQ(kernel_of(compile(model, {.rows = 11, .cols = 1, .valves = 2}), "ln_f.dw"), "gradient_norm");
}

}  // namespace
}  // namespace weft::compiler
