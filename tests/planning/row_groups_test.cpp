/// The number of groups of rows that `auto` chooses, and what follows from a number.
#include "host/planning/row_groups.hpp"

#include <gtest/gtest.h>

#include "host/planning/choose_shape.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/planning/phases.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "verif/wafer.hpp"

namespace weft::planning {
namespace {

/// Few features for many rows.
config::Config narrow_model(int groups, int micro_batch = 0, int valves = 0) {
  config::Config c;
  c.model = {.vocab = 32, .hidden = 32, .layers = 2, .heads = 4, .filter = 64, .seq = 8, .micro_batch = micro_batch};
  c.train_input.batch_size = 16;
  c.wafer = {.rows = 16, .cols = 2, .sram_kib = 48, .valves = valves, .sequence_columns = 1};
  c.row_groups = groups;
  return c;
}

std::uint64_t estimated(const config::Config& config) {
  std::uint64_t cycles = 0;
  for (const Phase& phase : estimate_phases(compile_plan(config, {}))) cycles += phase.cycles;
  return cycles;
}

double cycles_per_sequence(config::Config config) {
  (void)choose_shape(config);
  return static_cast<double>(estimated(config)) / config.model.micro_batch;
}

TEST(RowGroups, AreDivisorsOfWhatTheyShare) {
  EXPECT_EQ(group_counts(narrow_model(0)), (std::vector{1, 2, 4, 8, 16}));
  EXPECT_EQ(group_counts(narrow_model(0, 4)), (std::vector{1, 2, 4}));
  config::Config board = narrow_model(0);
  board.backend = "fpga";
  EXPECT_EQ(group_counts(board), std::vector{1});
}

/// With as many micro-batches, no other number takes fewer cycles per sequence.
TEST(RowGroups, TheChosenNumberHasTheFewestCyclesPerSequence) {
  config::Config chosen = narrow_model(0);
  const std::vector<Choice> choices = choose_shape(chosen, {.explain = true});
  EXPECT_GT(chosen.row_groups, 1) << "two features a row keep no vector unit busy";
  ASSERT_FALSE(choices.empty());
  EXPECT_EQ(choices.front().keys, (std::vector<std::string_view>{"wafer.row_groups"}));
  EXPECT_EQ(choices.front().best.values, std::vector{chosen.row_groups});
  EXPECT_GE(choices.front().ratio(), 1);
  const double best = static_cast<double>(estimated(chosen)) / chosen.model.micro_batch;
  for (const int groups : {1, 2, 4, 8}) EXPECT_LE(best, 1.02 * cycles_per_sequence(narrow_model(groups))) << groups;
}

TEST(RowGroups, SequencesAndValvesAreThoseOfAllGroups) {
  config::Config c = narrow_model(4);
  const std::vector<Choice> choices = choose_shape(c, {.explain = true});
  EXPECT_EQ(c.row_groups, 4);
  EXPECT_EQ(c.model.micro_batch % 4, 0);
  EXPECT_EQ(c.wafer.valves % 4, 0);
  EXPECT_EQ(c.wafer.rows, 16);
  config::Config one = c.one_group();
  one.wafer.valves = 0;
  one.model.micro_batch = 0;
  one.train_input.batch_size /= 4;
  (void)choose_shape(one);
  EXPECT_EQ(c.model.micro_batch, 4 * one.model.micro_batch);
  EXPECT_EQ(c.wafer.valves, 4 * one.wafer.valves);
  ASSERT_EQ(choices.size(), 2U);
  EXPECT_EQ(choices[0].best.values, std::vector{c.model.micro_batch});
  EXPECT_EQ(choices[1].best.values, std::vector{c.wafer.valves});
}

TEST(RowGroups, NumbersThatDoNotFitAreNotChosen) {
  config::Config c = narrow_model(0);
  c.wafer.sram_kib = 2;
  (void)choose_shape(c);
  check_fit(c);
  config::Config none = narrow_model(0);
  none.wafer.sram_kib = 1;
  EXPECT_THROW((void)choose_shape(none), Refusal);
}

/// The estimate of a wafer with groups is that of one group, and the tokens of all.
TEST(RowGroups, TheEstimateIsWithinFivePercentOfTheRtl) {
  config::Config c = narrow_model(4, 8, 4);
  c.model.layers = 1;
  const compiler::Plan plan = compile_plan(c, {});
  const auto wafer = make_rtl_wafer(plan.wafer);
  wafer->feed(plan.load);
  wafer->settle();
  const std::uint64_t before = wafer->counters().cycles;
  std::vector<std::uint64_t> totals;
  const auto tokens = [&](unsigned seed) { return compiler::random_tokens(plan, plan.model.micro_batch, seed); };
  const std::vector<TokenId> inputs = tokens(1), labels = tokens(2);
  const auto messages =
      compiler::micro_batch_messages(plan, compiler::random_parameters(plan, 3), inputs, labels, totals);
  const std::size_t own = plan.tokens(inputs, labels).size();
  for (int group = 0; group < 4; ++group) wafer->feed_group(group, std::span(messages).first(own));
  wafer->feed(std::span(messages).subspan(own));
  const std::vector<std::uint64_t> of_one = totals;
  for (int group = 1; group < 4; ++group) totals.insert(totals.end(), of_one.begin(), of_one.end());
  wafer->await(totals);
  const auto measured = static_cast<double>(wafer->counters().cycles - before);
  EXPECT_NEAR(static_cast<double>(estimated(c)) / measured, 1, 0.05);
  EXPECT_EQ(estimate_phases(plan).front().sent, 4 * own);
}

}  // namespace
}  // namespace weft::planning
