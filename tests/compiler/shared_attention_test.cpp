/// Attention whose rows share the keys: its sizes, the shares of the rows, its bits on any backend.
#include "sw/compiler/memory/shared_attention.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sw/compiler/compile.hpp"
#include "sw/compiler/memory/memory_plan.hpp"
#include "tests/compiler/least_memory.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/compiler/shape_case.hpp"

namespace weft::compiler {
namespace {

ModelShape sharing(ModelShape model) {
  model.attention = "shared";
  return model;
}

/// One head of `features` features over `rows` rows, with sequences over 8 columns.
std::optional<SharedAttention> form_of(int features, int rows, int padded_seq) {
  ModelShape model;
  model.hidden = features, model.heads = 1;
  return shared_attention(model, {.rows = rows, .cols = 8, .sequence_columns = 8}, padded_seq);
}

TEST(SharedAttention, HasTheFewestProducts) {
  const auto few = form_of(24, 8, 12), parts = form_of(128, 53, 12);
  ASSERT_TRUE(few && parts);
  EXPECT_EQ(few->query_parts, 1);
  EXPECT_EQ(few->key_rows, 6);
  EXPECT_EQ(few->keys, 2);
  EXPECT_EQ(parts->query_parts, 3);
  EXPECT_EQ(parts->key_rows, 12);
  EXPECT_EQ(parts->keys, 1);
  EXPECT_EQ(few->sets(), 1);
  EXPECT_EQ(parts->sets(), 1);
}

/// R holds the sums of 128 features, and on their way three keys of 33 beats each, but not four.
TEST(SharedAttention, KeysVisitInSetsForWhichTheAccumulatorFileHasRoom) {
  const auto four = form_of(128, 4, 8), five = form_of(128, 20, 20);
  ASSERT_TRUE(four && five);
  EXPECT_EQ(four->keys, 4);
  EXPECT_EQ(four->set, 2);
  EXPECT_EQ(five->keys, 5);
  EXPECT_EQ(five->set, 1);
}

TEST(SharedAttention, NeedsSeveralRowsColumnsAndRoom) {
  EXPECT_FALSE(form_of(24, 1, 12));
  EXPECT_FALSE(form_of(400, 8, 4)) << "its sums do not fit the accumulator file";
  ModelShape model;
  model.hidden = 24, model.heads = 1;
  EXPECT_FALSE(shared_attention(model, {.rows = 8, .cols = 8, .sequence_columns = 1}, 12));
  EXPECT_TRUE(shared_attention(model, {.rows = 8, .cols = 8, .sequence_columns = 8}, 12));
  model.document_end = 1;
  EXPECT_FALSE(shared_attention(model, {.rows = 8, .cols = 8, .sequence_columns = 8}, 12));
}

/// Each pair of a query and a key of the column has one row, and each feature one place.
TEST(SharedAttention, GivesEachPairToOneRow) {
  const machine::WaferShape wafer{.rows = 53, .cols = 8, .sequence_columns = 8};
  constexpr int kSequence = 12, kFeatures = 128, kRows = 53;
  const auto form = form_of(kFeatures, kRows, kSequence);
  ASSERT_TRUE(form);
  std::map<std::pair<int, int>, int> pairs;
  int behind = 0;
  for (int row = 0; row < kRows; ++row) {
    const int own = kFeatures / kRows + (row < kFeatures % kRows ? 1 : 0);
    const auto words = share_constants(*form, wafer, kSequence, row, own);
    EXPECT_EQ(words[kShareFirst], behind) << "row " << row;
    behind = words[kShareEnd];
    EXPECT_EQ(words[kShareEnd] + words[kShareBehind], kFeatures * kSequence);
    if (row >= form->query_parts * form->key_rows) continue;
    for (int key = words[kShareKey]; key < words[kShareKey] + form->keys; ++key)
      for (int query = words[kShareQueries]; query < words[kShareQueries] + form->part_beats * wafer.lanes; ++query)
        ++pairs[{key, query}];
  }
  EXPECT_EQ(behind, kFeatures * kSequence);
  EXPECT_EQ(pairs.size(), static_cast<std::size_t>(kSequence * kSequence));
  for (const auto& [pair, rows] : pairs) EXPECT_EQ(rows, 1) << "key " << pair.first << ", query " << pair.second;
}

TEST(SharedAttention, TakesLessMemoryThanStoredScores) {
  const ModelShape model = shape(30, 64, 1, 1, 40, 768, true, 1);
  const machine::WaferShape wafer{.rows = 16, .cols = 64, .sram_kib = 128, .sequence_columns = 64};
  const Spaces spaces(model, wafer.rows);
  const MemoryPlan stored(model, wafer, spaces), shared(sharing(model), wafer, spaces);
  EXPECT_LT(2 * shared.end, stored.end);
}

/// dS replaces P; stored scores have an array for each.
TEST(SharedAttention, HasOneArrayOfScores) {
  const ModelShape model = shape(30, 24, 1, 1, 40, 36, true, 1);
  const machine::WaferShape wafer{.rows = 8, .cols = 3, .sram_kib = 64, .sequence_columns = 3};
  const Plan stored = compile(model, wafer), shared = compile(sharing(model), wafer);
  const auto arrays = [](const Plan& plan) {
    return std::ranges::count_if(plan.arrays, [](const ArraySymbol& a) { return a.name.ends_with("probs"); });
  };
  EXPECT_EQ(arrays(stored), 2);
  EXPECT_EQ(arrays(shared), 1);
}

TEST(SharedAttention, HasOneArrayWhereMemoryHasNoRoomForFour) {
  const ModelShape model = sharing(shape(30, 128, 1, 1, 40, 23, true, 1));
  machine::WaferShape wafer = with_least_memory(model, {.rows = 4, .cols = 3, .sequence_columns = 3});
  const Spaces spaces(model, wafer.rows);
  const MemoryPlan one(model, wafer, spaces);
  EXPECT_TRUE(one.one_shared_array());
  EXPECT_EQ(one.shared_v, one.shared_dout);
  wafer.sram_kib += 8;  // three arrays of [132][8]
  const MemoryPlan four(model, wafer, spaces);
  EXPECT_FALSE(four.one_shared_array());
}

/// Scores, arrays and records are in use while attention runs, values of the MLP are not.
TEST(SharedAttention, SharesMemoryWithTheValuesOfOtherOperations) {
  const ModelShape model = sharing(shape(30, 24, 1, 1, 2000, 36, true, 1));
  const machine::WaferShape wafer{.rows = 8, .cols = 3, .sram_kib = 64, .sequence_columns = 3};
  const MemoryPlan plan(model, wafer, Spaces(model, wafer.rows));
  const auto holds_scores = [&](const ArraySymbol& array) {
    return array.address <= plan.probs && plan.probs < array.address + array.slots * array.width;
  };
  EXPECT_TRUE(std::ranges::any_of(plan.arrays, holds_scores));
}

/// A micro-batch's results, on this wafer.
MicroBatchRun run(const Plan& plan, const std::unique_ptr<Wafer>& wafer) {
  const auto inputs = random_tokens(plan, plan.model.micro_batch, 1),
             labels = random_tokens(plan, plan.model.micro_batch, 2);
  const MicroBatchRun result = run_micro_batch(plan, *wafer, random_parameters(plan, 3), inputs, labels);
  EXPECT_EQ(wafer->flags(), "");
  return result;
}

TEST(SharedAttention, HasTheSameBitsOnThreadsAndByTile) {
  const Plan plan = compile(sharing(shape(30, 24, 1, 2, 40, 40, true, 2)),
                            {.rows = 7, .cols = 8, .sram_kib = 64, .sequence_columns = 4});
  const MicroBatchRun wide = run(plan, make_model_wafer(plan.wafer));
  for (const auto& other :
       {run(plan, make_model_wafer(plan.wafer, 3)), run(plan, make_model_wafer(plan.wafer, 1, 4))}) {
    EXPECT_EQ(other.loss_sum, wide.loss_sum);
    EXPECT_EQ(other.grad, wide.grad);
  }
}

TEST(SharedAttention, OneArrayHasTheBitsOfFour) {
  const ModelShape model = sharing(shape(30, 128, 1, 1, 40, 23, true, 1));
  const machine::WaferShape least = with_least_memory(model, {.rows = 4, .cols = 3, .sequence_columns = 3});
  machine::WaferShape more = least;
  more.sram_kib += 8;
  const Plan one = compile(model, least), four = compile(model, more);
  const MicroBatchRun of_one = run(one, make_model_wafer(one.wafer)), of_four = run(four, make_model_wafer(four.wafer));
  EXPECT_EQ(of_one.loss_sum, of_four.loss_sum);
  EXPECT_EQ(of_one.grad, of_four.grad);
}

/// Columns behind the last sequence have no tokens, and change no bit.
TEST(SharedAttention, HasTheSameBitsBesideColumnsWithoutASequence) {
  const ModelShape model = sharing(shape(30, 24, 1, 2, 40, 30, true, 3));
  const Plan whole = compile(model, {.rows = 7, .cols = 6, .sram_kib = 64, .sequence_columns = 3}),
             more = compile(model, {.rows = 7, .cols = 8, .sram_kib = 64, .sequence_columns = 3});
  const MicroBatchRun all = run(whole, make_model_wafer(whole.wafer));
  for (const int threads : {1, 2}) {
    const MicroBatchRun beside = run(more, make_model_wafer(more.wafer, threads));
    EXPECT_EQ(beside.loss_sum, all.loss_sum);
    EXPECT_EQ(beside.grad, all.grad);
  }
}

/// Texts depend neither on the mesh nor on this setting.
TEST(SharedAttention, IsNotUsedByGeneration) {
  const ModelShape model = shape(30, 24, 1, 2, 40, 40, true, 1);
  const machine::WaferShape wafer{.rows = 4, .cols = 4, .sram_kib = 64, .sequence_columns = 4};
  EXPECT_EQ(compile_generation(sharing(model), wafer).program.words, compile_generation(model, wafer).program.words);
  EXPECT_NE(compile(sharing(model), wafer).program.words, compile(model, wafer).program.words);
}

}  // namespace
}  // namespace weft::compiler
