/// A sequence over several columns: the forward pass has the bits of a single column, on any backend.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <utility>

#include "sw/compiler/compile.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/compiler/shape_case.hpp"

namespace weft::compiler {
namespace {

machine::WaferShape over(machine::WaferShape wafer, int columns) {
  wafer.cols = columns * 2;  // two sequences next to each other
  wafer.sequence_columns = columns;
  wafer.sram_kib = 128;
  return wafer;
}

/// For each token, the sum of exponentials and the distance of its label.
using TokenLosses = std::map<int, std::pair<std::uint32_t, std::uint32_t>>;

TokenLosses losses(const Plan& plan, Wafer& wafer) {
  const int sequences = plan.model.micro_batch, t = plan.tokens_per_column, half = t * plan.wafer.cols;
  std::vector<machine::Message> messages;
  wafer.feed(plan.load);
  wafer.feed(plan.tokens(random_tokens(plan, sequences, 1), random_tokens(plan, sequences, 2)));
  std::vector<std::uint64_t> totals(static_cast<std::size_t>(plan.wafer.rows), 0);
  for (std::size_t n = 0; n < plan.forward_ops; ++n) {
    expand(plan.ops[n], random_parameters(plan, 3), messages);
    wafer.feed(messages);
    totals[0] += plan.ops[n].returned[0];
  }
  wafer.await(totals);
  EXPECT_EQ(wafer.flags(), "");
  TokenLosses all;
  for (int k = 0; k < half; ++k)
    if (const int token = plan.token_at(k / t, k % t, sequences); token >= 0)
      all[token] = {wafer.outlet(0)[static_cast<std::size_t>(k)], wafer.outlet(0)[static_cast<std::size_t>(half + k)]};
  EXPECT_EQ(all.size(), static_cast<std::size_t>(sequences * plan.model.seq));
  return all;
}

class LongSequences : public testing::TestWithParam<Case> {};

TEST_P(LongSequences, HaveTheBitsOfOneColumn) {
  const auto of = [](int columns) {
    const Plan plan = compile(GetParam().model, over(GetParam().wafer, columns));
    return losses(plan, *make_model_wafer(plan.wafer));
  };
  const TokenLosses one = of(1);
  for (const int columns : {2, 3, 4, 7}) EXPECT_TRUE(of(columns) == one) << columns << " columns";
}

TEST_P(LongSequences, HaveTheSameBitsOnThreadsAndByTile) {
  const Plan plan = compile(GetParam().model, over(GetParam().wafer, 3));
  const TokenLosses wide = losses(plan, *make_model_wafer(plan.wafer));
  EXPECT_TRUE(losses(plan, *make_model_wafer(plan.wafer, 2)) == wide);
  EXPECT_TRUE(losses(plan, *make_model_wafer(plan.wafer, 6)) == wide) << "more threads than sequences side by side";
  EXPECT_TRUE(losses(plan, *make_model_wafer(plan.wafer, 1, 4)) == wide);
}

TEST_P(LongSequences, GenerateTheSameLogits) {
  const auto of = [](int columns) {
    const Plan plan = compile_generation(GetParam().model, over(GetParam().wafer, columns));
    const auto wafer = make_model_wafer(plan.wafer);
    auto text = random_tokens(plan, 1, 4);
    text.resize(text.size() * 2 / 3);
    wafer->feed(plan.load);
    wafer->feed(plan.texts({{text}}));
    std::vector<std::uint64_t> totals(static_cast<std::size_t>(plan.wafer.rows), 0);
    std::vector<machine::Message> messages;
    for (const Op& op : plan.ops) {
      expand(op, random_parameters(plan, 3), messages);
      wafer->feed(messages);
      for (std::size_t r = 0; r < totals.size(); ++r) totals[r] += op.returned[r];
    }
    wafer->await(totals);
    std::vector<std::vector<std::uint32_t>> words;
    for (int r = 0; r < plan.wafer.rows; ++r) words.push_back(wafer->outlet(r));
    return words;
  };
  const auto one = of(1);
  for (const int columns : {2, 5}) EXPECT_TRUE(of(columns) == one) << columns << " columns";
}

ModelShape with(ModelShape model, const char* network, int rotary_dim, const char* recompute) {
  model.network = network, model.rotary_dim = rotary_dim, model.recompute = recompute;
  return model;
}

ModelShape grouped(ModelShape model, int kv_heads) {
  model.kv_heads = kv_heads, model.rotary.layout = "halves";
  return model;
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, LongSequences,
    testing::Values(
        Case{"one_row", shape(11, 8, 1, 2, 12, 28, true, 2), {.rows = 1}},
        Case{"three_sequences", shape(30, 24, 2, 3, 40, 30, false, 3), {.rows = 2}},
        Case{"spread_heads", shape(30, 24, 1, 2, 40, 29, true, 2), {.rows = 5}},
        Case{"several_gathers", shape(30, 24, 1, 2, 40, 80, true, 2), {.rows = 5}},
        Case{"many_features", shape(11, 72, 1, 1, 12, 40, true, 1), {.rows = 1}},
        Case{"two_lanes", shape(30, 24, 1, 3, 40, 13, true, 5), {.rows = 4, .lanes = 2}},
        Case{"sixteen_lanes", shape(30, 24, 1, 3, 40, 90, true, 2), {.rows = 2, .lanes = 16}},
        Case{"turning", with(shape(30, 24, 2, 3, 40, 30, false, 3), "gptj", 4, "block"), {.rows = 3}},
        Case{"turning_over_rows", with(shape(30, 24, 1, 2, 40, 30, false, 2), "gptj", 8, "none"), {.rows = 6}},
        Case{"gated", with(shape(30, 24, 2, 3, 40, 30, false, 3), "llama", 8, "block"), {.rows = 3}},
        Case{"grouped", grouped(with(shape(30, 24, 2, 3, 40, 30, false, 3), "llama", 8, "none"), 1), {.rows = 6}}),
    case_name);

TEST(LongSequencesLayout, PutsATokenInEachPlaceOnce) {
  const Plan plan = compile(shape(11, 8, 1, 2, 12, 10, true, 3), {.rows = 1, .cols = 6, .sequence_columns = 3});
  EXPECT_EQ(plan.padded_seq, 4);
  EXPECT_EQ(plan.tokens_per_column, 8);  // two of the three sequences share a group of columns
  EXPECT_EQ(plan.token_at(1, 2, 3), 6);
  EXPECT_EQ(plan.token_at(2, 1, 3), 9);
  EXPECT_EQ(plan.token_at(2, 2, 3), -1);
  EXPECT_EQ(plan.token_at(3, 0, 3), 10);
  EXPECT_EQ(plan.token_at(0, 4, 3), 20);
  EXPECT_EQ(plan.token_at(3, 4, 3), -1);
}

TEST(LongSequencesLayout, ColumnsBehindTheLastSequenceHaveNoToken) {
  const Plan plan = compile(shape(11, 8, 1, 2, 12, 10, true, 3), {.rows = 1, .cols = 8, .sequence_columns = 3});
  EXPECT_EQ(plan.token_at(5, 1, 3), 19);
  EXPECT_EQ(plan.token_at(0, 4, 3), 20);
  for (const int column : {6, 7})
    for (int t = 0; t < plan.tokens_per_column; ++t) EXPECT_EQ(plan.token_at(column, t, 3), -1);
}

TEST(LongSequencesLayout, TakesAsFewColumnsAsFit) {
  const auto columns = [](int seq, int cols) {
    ModelShape model;
    model.seq = seq;
    model.micro_batch = 1;
    return compile(model, {.rows = 8, .cols = cols, .sram_kib = 128, .sequence_columns = 0}).wafer.sequence_columns;
  };
  EXPECT_EQ(columns(32, 12), 1);
  EXPECT_EQ(columns(256, 12), 3);
  EXPECT_EQ(columns(256, 10), 5);
}

}  // namespace
}  // namespace weft::compiler
