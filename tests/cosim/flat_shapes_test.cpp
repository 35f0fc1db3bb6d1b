/// rtl/weft_wafer.sv as a single top in shapes for simulation only: one tile, one row whose W turns around, three rows
/// with two valves, one column with three, two groups of rows, eight lanes. The replicated-tile wafer has the same
/// messages at the edge in the same cycles.
#include <gtest/gtest.h>

#include "Vweft_wafer_1x1v1l8.h"
#include "Vweft_wafer_1x5v1.h"
#include "Vweft_wafer_3x2v2.h"
#include "Vweft_wafer_5x1v3.h"
#include "Vweft_wafer_8x1v4g2.h"
#include "tests/cosim/flat_run.hpp"

namespace weft::cosim {
namespace {

TEST(FlatShapes, OneTileOfEightLanesHasTheReplicatedWafersCycles) {
  compare<Vweft_wafer_1x1v1l8>({.rows = 1, .cols = 1, .lanes = 8});
}

TEST(FlatShapes, OneRowWhoseWeightsTurnAroundHasTheReplicatedWafersCycles) {
  const machine::WaferShape shape{.rows = 1, .cols = 5};
  ASSERT_TRUE(shape.w_turns());
  compare<Vweft_wafer_1x5v1>(shape);
}

TEST(FlatShapes, ThreeRowsWithTwoValvesHaveTheReplicatedWafersCycles) {
  const machine::WaferShape shape{.rows = 3, .cols = 2, .valves = 2};
  compare<Vweft_wafer_3x2v2>(shape);
  compare<Vweft_wafer_3x2v2>(shape, slow_host(test::test_seed()));
}

TEST(FlatShapes, OneColumnWithThreeValvesHasTheReplicatedWafersCycles) {
  const machine::WaferShape shape{.rows = 5, .cols = 1, .valves = 3};
  compare<Vweft_wafer_5x1v3>(shape);
  compare<Vweft_wafer_5x1v3>(shape, slow_host(test::test_seed()));
}

TEST(FlatShapes, TwoGroupsWithTwoValvesEachHaveTheReplicatedWafersCycles) {
  const machine::WaferShape shape{.rows = 4, .cols = 1, .valves = 2, .row_groups = 2};
  compare<Vweft_wafer_8x1v4g2>(shape);
  compare<Vweft_wafer_8x1v4g2>(shape, slow_host(test::test_seed()));
}

}  // namespace
}  // namespace weft::cosim
