/// Estimates from a sample of outputs and columns, compared with estimates from all of them.
#include "host/planning/estimate/sample.hpp"

#include <gtest/gtest.h>

#include "host/planning/phases.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::planning {
namespace {

constexpr Sample kAll = {.steps = std::size_t{1} << 40, .columns = 1 << 10};

/// Checks that the sampled cycles of each phase are within the fraction `near` of the full estimate.
void expect_near(const compiler::ModelShape& model, const machine::WaferShape& wafer, const Sample& sample,
                 double near) {
  const compiler::Plan plan = compiler::compile(model, wafer);
  const std::vector<Phase> part = estimate_phases(plan, sample), all = estimate_phases(plan, kAll);
  ASSERT_EQ(part.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double ratio = static_cast<double>(part[i].cycles) / static_cast<double>(all[i].cycles);
    EXPECT_NEAR(ratio, 1, near) << all[i].name;
  }
}

TEST(Sample, OutputsAreNearTheTotal) {
  const compiler::ModelShape model{
      .vocab = 200, .hidden = 192, .layers = 1, .heads = 24, .filter = 768, .seq = 32, .micro_batch = 6};
  expect_near(model, {.rows = 24, .cols = 6, .sram_kib = 128, .valves = 4}, {.steps = 300'000}, 0.05);
}

TEST(Sample, OutputsOfManyRowsAreNearTheTotal) {
  const compiler::ModelShape model{
      .vocab = 600, .hidden = 512, .layers = 1, .heads = 16, .filter = 512, .seq = 16, .micro_batch = 4};
  expect_near(model, {.rows = 100, .cols = 4, .sram_kib = 128, .valves = 100}, {.steps = 100'000}, 0.05);
}

/// The paths between sampled columns are correspondingly longer where W turns around.
TEST(Sample, ColumnsAreNearTheTotal) {
  const compiler::ModelShape model{
      .vocab = 200, .hidden = 96, .layers = 1, .heads = 12, .filter = 384, .seq = 32, .micro_batch = 40};
  expect_near(model, {.rows = 12, .cols = 40, .sram_kib = 128}, {.steps = kAll.steps}, 0.01);
}

}  // namespace
}  // namespace weft::planning
