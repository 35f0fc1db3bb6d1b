/// The shape of a micro-batch that `auto` chooses: train_input.micro_batch_size and wafer.sequence_columns.
#include "host/planning/batch_shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "host/planning/compile_plan.hpp"
#include "host/planning/one_layer.hpp"
#include "sw/compiler/check/misfits.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/memory/memory_plan.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "verif/wafer.hpp"

namespace weft::planning {
namespace {

config::Config small_model(int batch, int micro_batch, int columns) {
  config::Config c;
  c.model = {.vocab = 32, .hidden = 16, .layers = 2, .heads = 4, .filter = 32, .seq = 24, .micro_batch = micro_batch};
  c.train_input.batch_size = batch;
  c.wafer = {.rows = 4, .cols = 6, .sram_kib = 48, .valves = 1, .sequence_columns = columns};
  return c;
}

std::pair<int, int> chosen_shape(config::Config c) {
  check_fit(c);
  choose_batch_shape(c);
  return {c.model.micro_batch, c.wafer.sequence_columns};
}

TEST(BatchShape, NumbersStay) {
  config::Config c = small_model(12, 4, 3);
  EXPECT_FALSE(choose_batch_shape(c));
  EXPECT_EQ(chosen_shape(c), std::pair(4, 3));
  EXPECT_EQ(chosen_shape(small_model(12, 4, 0)).first, 4);
  EXPECT_EQ(chosen_shape(small_model(12, 0, 3)).second, 3);
}

TEST(BatchShape, ShapesAreDivisorsWithTheFewestTokensPerStepFirst) {
  const std::vector<BatchShape> shapes = batch_shapes(small_model(12, 0, 0));
  double before = 0;
  for (const BatchShape& shape : shapes) {
    EXPECT_EQ(12 % shape.micro_batch, 0);
    EXPECT_EQ(6 % shape.columns, 0);
    EXPECT_LE(shape.tokens, 168) << "the accumulator file";
    const double ratio = static_cast<double>(shape.tokens) / shape.micro_batch;
    EXPECT_GE(ratio, before);
    before = ratio;
  }
  EXPECT_EQ(shapes.front().micro_batch, 12) << "24 tokens of two sequences in each of six columns have no padding";
}

/// Estimated cycles of a step on train_input.auto_num_csx wafers with a shape; infinite if it does not fit.
double shape_cycles(config::Config c, int micro_batch, int columns) {
  c.model.micro_batch = micro_batch;
  c.wafer.sequence_columns = columns;
  c.wafer.valves = c.wafer.rows;
  if (!compiler::misfits(c.model, c.wafer).empty()) return std::numeric_limits<double>::infinity();
  const int layers = std::exchange(c.model.layers, 1);
  const MicroBatchCost cost = cost_of_layers(compiler::compile(c.model, c.wafer), layers);
  const int micro_batches = c.train_input.batch_size / micro_batch, wafers = c.train_input.auto_num_csx;
  return static_cast<double>(cost.cycles) * ((micro_batches + wafers - 1) / wafers);
}

/// All shapes compared, not only those that the search estimates.
void expect_the_fewest_cycles(const config::Config& c) {
  double least = std::numeric_limits<double>::infinity();
  for (const BatchShape& shape : batch_shapes(c))
    least = std::min(least, shape_cycles(c, shape.micro_batch, shape.columns));
  const auto [sequences, columns] = chosen_shape(c);
  EXPECT_LE(shape_cycles(c, sequences, columns), 1.01 * least)
      << c.wafer.sram_kib << " KiB, batch " << c.train_input.batch_size << ", " << c.train_input.auto_num_csx
      << " wafers: " << sequences << ", " << columns;
}

/// Eleven columns hold three sequences over three columns each, and one over all of them. Over four columns a sequence
/// has six tokens in each, rounded up to eight as over three; two columns leave one over.
TEST(BatchShape, SequencesLeaveColumnsFreeWhereMoreLieSideBySide) {
  config::Config c = small_model(12, 0, 0);
  c.wafer.cols = 11;
  std::set<int> columns;
  for (const BatchShape& shape : batch_shapes(c)) columns.insert(shape.columns);
  EXPECT_EQ(columns, (std::set{1, 3, 11}));
  c.model.micro_batch = 3;
  expect_the_fewest_cycles(c);
  EXPECT_EQ(chosen_shape(c), std::pair(3, 3));
}

/// Five beats of a sequence in a column are shared by more rows than seven, whose only divisors are one and seven.
TEST(BatchShape, ShapesWithFewerProductsOfAttentionAreEstimated) {
  config::Config c = small_model(6, 0, 0);
  c.model = {.vocab = 32, .hidden = 52, .layers = 1, .heads = 1, .filter = 52, .seq = 224, .attention = "shared"};
  c.wafer.rows = 26, c.wafer.cols = 24, c.model.micro_batch = 6;
  const std::vector<BatchShape> shapes = batch_shapes(c);
  const auto over = [&](int columns) { return *std::ranges::find(shapes, columns, &BatchShape::columns); };
  EXPECT_EQ(over(8).tokens, 56);
  EXPECT_EQ(over(12).tokens, 60);
  EXPECT_LT(over(12).products, over(8).products);
  EXPECT_FALSE(over(8).dominates(over(12)));
  EXPECT_EQ(chosen_shape(c).second, 12);
  EXPECT_LT(shape_cycles(c, 6, 12), shape_cycles(c, 6, 8));
}

TEST(BatchShape, AutoHasTheFewestCyclesOfAStep) {
  for (const int sram : {12, 16, 48}) {
    for (const auto& [batch, micro_batch] : {std::pair(12, 0), std::pair(10, 0), std::pair(6, 1), std::pair(6, 2)}) {
      config::Config c = small_model(batch, micro_batch, 0);
      c.wafer.sram_kib = sram;
      expect_the_fewest_cycles(c);
    }
  }
}

TEST(BatchShape, AutoHasTheFewestCyclesOnTheStatedNumberOfWafers) {
  std::set<std::pair<int, int>> shapes;
  for (const int wafers : {2, 3, 4, 5, 8, 12, 100}) {
    for (const int batch : {12, 20}) {
      config::Config c = small_model(batch, 0, 0);
      c.train_input.auto_num_csx = wafers;
      expect_the_fewest_cycles(c);
      shapes.insert(chosen_shape(c));
    }
  }
  EXPECT_GE(shapes.size(), 4U);
  EXPECT_EQ(shapes.begin()->first, 1) << "a sequence for each of twelve or more wafers";
}

TEST(BatchShape, AChoiceThatLeavesWafersIdleHasANote) {
  config::Config c = small_model(12, 0, 0);
  c.runconfig.num_csx = 4;
  const auto few = choose_batch_shape(c);
  ASSERT_EQ(c.micro_batches(), 1);
  EXPECT_EQ(few->note,
            "train_input.micro_batch_size: auto, for train_input.auto_num_csx 1: 1 micro-batches keep 25 % of 4 wafers "
            "busy. HINT: a new run can have train_input.auto_num_csx 4");
  c = small_model(12, 0, 0);
  c.runconfig.num_csx = c.train_input.auto_num_csx = 4;
  EXPECT_EQ(choose_batch_shape(c)->note, "");
  EXPECT_EQ(c.micro_batches() % 4, 0);
  c = small_model(12, 0, 0);
  c.train_input.auto_num_csx = 4;
  c.runconfig.num_csx = 2;
  EXPECT_EQ(choose_batch_shape(c)->note, "") << "four micro-batches keep two wafers busy, too";
}

/// Settings that do not change the bits of a run must not change the shape, which does.
TEST(BatchShape, AutoDependsNeitherOnWafersNorOnBackends) {
  const config::Config c = small_model(12, 0, 0);
  const auto shape = chosen_shape(c);
  for (const char* backend : {"model", "rtl", "rtl,model"}) {
    config::Config other = c;
    other.backend = backend;
    other.runconfig.num_csx = 3;
    other.wafer.turns = false;
    other.wafer.valves = 4;
    other.wafer.psum_cycles = 4;
    EXPECT_EQ(chosen_shape(other), shape) << backend;
  }
}

TEST(BatchShape, AutoLeavesRoomForTheExactSums) {
  config::Config c = small_model(3 * 4096, 0, 1);
  c.wafer.cols = 1;
  c.model.seq = 4;
  c.model.layers = 1;
  const std::vector<BatchShape> shapes = batch_shapes(c);
  EXPECT_EQ(shapes.back().micro_batch, 6);
  for (const BatchShape& shape : shapes)
    EXPECT_LE(c.train_input.batch_size / shape.micro_batch, 2048) << "a tied embedding contributes twice";
  c.train_input.batch_size = 12289;  // a prime number: micro-batches of one sequence, or of all
  try {
    chosen_shape(c);
    FAIL();
  } catch (const Refusal& refusal) {
    EXPECT_NE(std::string(refusal.what())
                  .find("train_input.micro_batch_size: auto, but no divisor of "
                        "train_input.batch_size 12289 that makes at most 2048 micro-batches"),
              std::string::npos)
        << refusal.what();
  }
}

/// A model of one layer stands for all layers, and must not have more memory for other purposes than they leave.
TEST(BatchShape, OneLayerHasTheMemoryThatTheOthersLeave) {
  const auto left = [](const compiler::ModelShape& model, const machine::WaferShape& wafer) {
    const compiler::MemoryPlan plan(model, wafer, compiler::Spaces(model, wafer.rows));
    return 2 * (wafer.sram_elements() - static_cast<int>(plan.end));
  };
  config::Config c = small_model(12, 6, 1);
  c.model.layers = 12;
  const machine::WaferShape one = wafer_of_one_layer(c.model, c.wafer);
  EXPECT_LT(one.sram_kib, c.wafer.sram_kib - 1);
  const int beside_all = left(c.model, c.wafer), beside_one = left(with_one_layer(c).model, one);
  EXPECT_LE(beside_one, beside_all);
  EXPECT_GT(beside_one, beside_all - 1024) << "whole KiB";
  EXPECT_EQ(wafer_of_one_layer(with_one_layer(c).model, c.wafer), c.wafer);
}

TEST(BatchShape, TheNextBestIsMeasuredOnRequest) {
  config::Config c = small_model(12, 6, 0);  // one sequence in each column: nothing else comes close
  EXPECT_EQ(choose_batch_shape(c)->compared, 0U);
  c.wafer.sequence_columns = 0;
  const auto choice = choose_batch_shape(c, {.explain = true});
  ASSERT_TRUE(choice && choice->next);
  EXPECT_EQ(choice->best.values, std::vector{1});
  EXPECT_NEAR(choice->ratio(), shape_cycles(c, 6, choice->next->values[0]) / shape_cycles(c, 6, 1), 0.01);
  EXPECT_GT(choice->ratio(), 1);
  EXPECT_TRUE(text_of(*choice).starts_with("wafer.sequence_columns 1: ")) << text_of(*choice);
}

/// A single sequence over all columns, on the RTL.
TEST(BatchShape, AutoSpreadsFewSequencesOverColumnsInFewerCycles) {
  config::Config c = small_model(1, 0, 0);
  c.model.layers = 1;
  const auto on_rtl = [&](int columns) {
    c.model.micro_batch = 1;
    c.wafer.sequence_columns = columns;
    const compiler::Plan plan = compile_plan(c, {});
    const auto wafer = make_rtl_wafer(plan.wafer);
    wafer->feed(plan.load);
    wafer->settle();
    const std::uint64_t before = wafer->counters().cycles;
    const std::vector<TokenId> tokens = compiler::random_tokens(plan, 1, 2);
    const auto run = compiler::run_micro_batch(plan, *wafer, compiler::random_parameters(plan, 1), tokens, tokens);
    return std::pair(run.loss_sum, wafer->counters().cycles - before);
  };
  const int columns = chosen_shape(c).second;
  EXPECT_GT(columns, 1);
  const auto [loss, cycles] = on_rtl(columns);
  const auto [loss_of_one, cycles_of_one] = on_rtl(1);
  EXPECT_EQ(loss, loss_of_one) << "forward has the same bits";
  EXPECT_LT(cycles, cycles_of_one);
}

}  // namespace
}  // namespace weft::planning
