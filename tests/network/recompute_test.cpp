/// A recomputed block gives the same bits: model.recompute changes memory and cycles only.
#include <gtest/gtest.h>

#include <algorithm>

#include "sw/compiler/compile.hpp"
#include "sw/compiler/memory/memory_plan.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/compiler/shape_case.hpp"

namespace weft::network {
namespace {

compiler::MicroBatchRun run(const compiler::Plan& plan, Wafer& wafer) {
  const int sequences = plan.model.micro_batch;
  return compiler::run_micro_batch(plan, wafer, compiler::random_parameters(plan, 1),
                                   compiler::random_tokens(plan, sequences, 2),
                                   compiler::random_tokens(plan, sequences, 3));
}

compiler::ModelShape again(compiler::ModelShape model) {
  model.recompute = "block";
  return model;
}

class RecomputeShapes : public testing::TestWithParam<compiler::Case> {};

TEST_P(RecomputeShapes, HaveTheSameBits) {
  machine::WaferShape wafer = GetParam().wafer;
  wafer.sram_kib = 128;
  const compiler::Plan kept = compiler::compile(GetParam().model, wafer),
                       block = compiler::compile(again(GetParam().model), wafer);
  EXPECT_EQ(kept.forward_ops, block.forward_ops);
  EXPECT_GT(block.ops.size(), kept.ops.size());
  const auto a = make_model_wafer(wafer), b = make_model_wafer(wafer);
  const compiler::MicroBatchRun first = run(kept, *a), second = run(block, *b);
  EXPECT_EQ(b->flags(), "");
  EXPECT_EQ(first.loss_sum, second.loss_sum);
  EXPECT_TRUE(first.grad == second.grad);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, RecomputeShapes,
    testing::Values(
        compiler::Case{"one_tile", compiler::shape(11, 8, 1, 2, 12, 8, true, 1), {.rows = 1, .cols = 1}},
        compiler::Case{"three_layers", compiler::shape(30, 24, 3, 3, 40, 8, false, 3), {.rows = 2, .cols = 3}},
        compiler::Case{"spread_heads", compiler::shape(30, 24, 2, 2, 40, 12, true, 2), {.rows = 5, .cols = 2}},
        compiler::Case{
            "four_cycles", compiler::shape(30, 24, 2, 4, 96, 12, true, 2), {.rows = 4, .cols = 2, .psum_cycles = 4}}),
    compiler::case_name);

TEST(Recompute, TakesALayersMemoryOnceAndAnArrayForEach) {
  const auto bytes = [](compiler::ModelShape model) {
    const machine::WaferShape wafer;
    return 2 * compiler::MemoryPlan(model, wafer, compiler::Spaces(model, wafer.rows)).end;
  };
  compiler::ModelShape model;
  const std::int64_t two = bytes(again(model)), kept_two = bytes(model);
  model.layers = 3;
  const std::int64_t three = bytes(again(model)), kept_three = bytes(model);
  const std::int64_t array = 2 * 8 * 32;  // 8 of 32 features per row, 32 tokens per column
  EXPECT_EQ(three - two, array);
  EXPECT_GT(kept_three - kept_two, 8 * array);
  EXPECT_LT(two, kept_two);
}

TEST(Recompute, LetsTwelveLayersOfGptTinyFit24KiB) {
  compiler::ModelShape model;
  EXPECT_NO_THROW(compiler::compile(again(model), {.sram_kib = 18}));
  EXPECT_ANY_THROW(compiler::compile(model, {.sram_kib = 22}));
  model.layers = 12;
  EXPECT_NO_THROW(compiler::compile(again(model), {.sram_kib = 24}));
  EXPECT_ANY_THROW(compiler::compile(model, {.sram_kib = 73}));
}

}  // namespace
}  // namespace weft::network
