/// A run on wafers with groups of rows has the bits of a run on wafers with the rows of one group.
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "host/backends/backend.hpp"
#include "host/config/file/load.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/train/masks.hpp"
#include "host/train/trainer.hpp"

namespace weft::test {
namespace {

/// Steps of gpt_tiny's model on wafers of `groups` groups of two rows, with two sequences in each group: one
/// micro-batch of such a wafer has the sequences of `groups` micro-batches of a wafer of two rows.
std::vector<metrics::StepMetrics> train(int groups, const std::string& backend, int num_csx, int steps,
                                        std::vector<config::Override> overrides = {}) {
  overrides.insert(overrides.begin(), {{"wafer.rows", std::to_string(2 * groups)},
                                       {"wafer.valves", std::to_string(groups)},
                                       {"wafer.row_groups", std::to_string(groups)},
                                       {"train_input.micro_batch_size", std::to_string(2 * groups)},
                                       {"runconfig.num_csx", std::to_string(num_csx)},
                                       {"wafer.backend", backend}});
  const config::Config config = config::load_config(std::string(WEFT_CONFIGS) + "/gpt_tiny.yaml", overrides);
  const compiler::Plan plan = planning::compile_plan(config, train::make_mask(config));
  EXPECT_EQ(plan.wafer.rows, 2);
  EXPECT_EQ(plan.wafer.row_groups, groups);
  train::Trainer trainer(config, plan, [&](int id) { return backends::make_wafer(config, id); });
  std::vector<metrics::StepMetrics> all;
  for (int s = 0; s < steps; ++s) all.push_back(trainer.step());
  return all;
}

void expect_same(const std::vector<metrics::StepMetrics>& one, const std::vector<metrics::StepMetrics>& other) {
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t s = 0; s < one.size(); ++s) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(one[s].loss), std::bit_cast<std::uint64_t>(other[s].loss)) << s;
    EXPECT_EQ(one[s].grad_norm, other[s].grad_norm) << s;
    EXPECT_EQ(one[s].state_hash, other[s].state_hash) << s;
  }
}

TEST(RowGroups, HaveTheBitsOfWafersWithTheRowsOfAGroup) {
  const auto one = train(1, "model", 1, 3);
  EXPECT_NE(one[0].state_hash, one[2].state_hash);
  for (const int groups : {2, 4, 8})
    for (const int wafers : {1, 3}) {
      SCOPED_TRACE(std::to_string(groups) + " groups, " + std::to_string(wafers) + " wafers");
      expect_same(one, train(groups, "model", wafers, 3));
    }
}

/// One layer and eight tokens, so that steps on the RTL are short.
const std::vector<config::Override> kShort = {
    {"model.num_hidden_layers", "1"}, {"model.max_sequence_length", "8"}, {"train_input.batch_size", "8"}};

void have_these_bits_on_the_rtl(int steps) {
  const auto one = train(1, "model", 1, steps, kShort);
  expect_same(one, train(1, "rtl", 1, steps, kShort));
  expect_same(one, train(2, "rtl", 2, steps, kShort));
  expect_same(one, train(4, "rtl", 1, steps, kShort));
  expect_same(one, train(2, "rtl,model", 3, steps, kShort));
}

TEST(RowGroups, HaveTheseBitsOnTheRtl) { have_these_bits_on_the_rtl(1); }
TEST(RowGroupsLong, HaveTheseBitsOnTheRtlInTwoSteps) { have_these_bits_on_the_rtl(2); }

/// Each wafer of the RTL is compared with the model, word by word of all groups.
TEST(RowGroups, AreChecked) {
  auto checked = kShort;
  checked.push_back({"wafer.check", "model"});
  expect_same(train(1, "model", 1, 1, kShort), train(2, "rtl", 1, 1, checked));
}

TEST(RowGroups, HaveTheseBitsWithSequencesOverColumns) {
  const std::vector<config::Override> columns = {{"wafer.sequence_columns", "2"}};
  expect_same(train(1, "model", 1, 2, columns), train(4, "model", 3, 2, columns));
}

TEST(RowGroups, HaveTheseBitsWithMasksThatAreUpdated) {
  const std::vector<config::Override> rigl = {{"sparsity.sparsity", "0.9"},
                                              {"sparsity.algorithm", "rigl"},
                                              {"sparsity.update_freq", "1"},
                                              {"sparsity.update_stop", "4"}};
  expect_same(train(1, "model", 2, 3, rigl), train(4, "model", 2, 3, rigl));
}

/// Groups work side by side: as many sequences in a quarter of the cycles.
TEST(RowGroups, TakeTheCyclesOfOneGroup) {
  const auto one = train(1, "rtl", 1, 1, kShort), four = train(4, "rtl", 1, 1, kShort);
  EXPECT_NEAR(static_cast<double>(four[0].sim_cycles.value()) / static_cast<double>(one[0].sim_cycles.value()), 0.25,
              0.005);
}

}  // namespace
}  // namespace weft::test
