/// Whole micro-batches on the functional model and the RTL: every returned word and every memory, bit for bit.
#include <gtest/gtest.h>

#include "tests/cosim/tiny.hpp"
#include "verif/cosim/cosim_wafer.hpp"

namespace weft::cosim {
namespace {

void run(const machine::WaferShape& shape, const compiler::ModelShape& model, unsigned seed) {
  const Tiny tiny(shape, model, seed);
  const auto wafer = make_cosim_wafer("model", make_model_wafer(shape), "rtl", make_rtl_wafer(shape));
  wafer->feed(tiny.plan.load);
  wafer->settle();
  tiny.feed(*wafer);
  wafer->await(tiny.totals);
  wafer->settle();
  EXPECT_EQ(wafer->flags(), "");
  for (int row = 0; row < shape.all_rows(); ++row)
    EXPECT_EQ(wafer->outlet(row).size(), tiny.totals[static_cast<std::size_t>(row)]) << "row " << row;
}

TEST(ModelAndRtl, AgreeOnAMicroBatchOn2x2Tiles) { run({.rows = 2, .cols = 2}, tiny_model(), 1); }
TEST(ModelAndRtl, AgreeOnOneTile) { run({.rows = 1, .cols = 1}, tiny_model(), 2); }
TEST(ModelAndRtl, AgreeWithManyValves) { run({.rows = 4, .cols = 1, .valves = 4}, tiny_model(), 3); }

TEST(ModelAndRtl, AgreeOnGroupsOfRows) {
  run({.rows = 2, .cols = 2, .row_groups = 2}, tiny_model(), 6);
  run({.rows = 2, .cols = 1, .valves = 2, .row_groups = 3}, tiny_model(), 7);
}

TEST(ModelAndRtl, AgreeWhereWTurnsAround) {
  compiler::ModelShape m = tiny_model();
  m.micro_batch = machine::WaferShape::kColsToTurn;
  run({.rows = 2, .cols = machine::WaferShape::kColsToTurn, .valves = 2}, m, 5);
}

TEST(ModelAndRtl, AgreeWhenHeadsSpreadOverRows) {
  compiler::ModelShape m = tiny_model();
  m.hidden = 12, m.seq = 5, m.micro_batch = 1, m.tied = false;
  run({.rows = 5, .cols = 2, .valves = 3}, m, 4);
}

}  // namespace
}  // namespace weft::cosim
