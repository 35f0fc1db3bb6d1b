/// The slice of GPT-3 XL that `weft-bench slice` measures.
#include "bench/utilization/slice.hpp"

#include <gtest/gtest.h>

#include "host/config/file/load.hpp"
#include "host/planning/choose_shape.hpp"
#include "host/planning/model_work.hpp"

namespace weft::bench {
namespace {

/// Features of a row, at most.
int of_row(int features, const machine::WaferShape& wafer) { return (features + wafer.rows - 1) / wafer.rows; }

TEST(Slice, HasTheFeaturesOfARowOfXl) {
  const machine::WaferShape group{.rows = 425};
  for (const int tiles : {16, 32}) {
    const compiler::Plan plan = xl_slice(tiles, tiles);
    EXPECT_EQ(of_row(plan.model.hidden, plan.wafer), of_row(2048, group));
    EXPECT_EQ(of_row(plan.model.filter, plan.wafer), of_row(8192, group));
    EXPECT_EQ(plan.tokens_per_column, 48);
    const double attention = (plan.model.seq + 1) / (12.0 * plan.model.hidden), of_xl = 2049 / (12.0 * 2048);
    EXPECT_GE(attention, of_xl) << "part of a layer's multiply-adds";
    EXPECT_NEAR(attention, 0.104, 0.002);
  }
}

/// The mapping is that of the parameter file.
TEST(SliceLong, HasTheMappingOfTheFile) {
  config::Config xl = config::load_config(WEFT_CONFIGS "/params_gpt3_xl_pile.yaml");
  xl.wafer.valves = xl.wafer.rows;
  (void)planning::choose_shape(xl);
  const compiler::Plan plan = xl_slice(16, 16);
  EXPECT_EQ(plan.wafer.row_groups, xl.row_groups);
  const int side_by_side = xl.wafer.cols / xl.wafer.sequence_columns;
  EXPECT_EQ(plan.tokens_per_column / plan.padded_seq, xl.group_model().micro_batch / side_by_side);
  const int in_column = (xl.model.seq + xl.wafer.sequence_columns - 1) / xl.wafer.sequence_columns;
  EXPECT_EQ(plan.padded_seq, (in_column + 3) / 4 * 4);
}

TEST(SliceLong, ReachesItsShareOfTheLanes) {
  const compiler::Plan plan = xl_slice(16, 16);
  const SliceCycles cycles = slice_cycles(plan);
  EXPECT_GE(planning::share_of_lanes(plan, cycles.rtl), 0.34);
  EXPECT_NEAR(cycles.estimated / cycles.rtl, 1, 0.05);
}

}  // namespace
}  // namespace weft::bench
