/// Loading, clearing, and reporting of flags.
#include "sw/compiler/program/call.hpp"
#include "tests/kernels/cases.hpp"

namespace weft::kernels {
namespace {

class System : public KernelTest {};

TEST_P(System, AWholeMicroBatchSetsNoFlag) {
  stage.before("flags");
  stage.step();
  for (const auto& row : stage.words) EXPECT_EQ(row, std::vector<std::uint32_t>{0});
  EXPECT_EQ(stage.wafer->flags(), "");
}

TEST_P(System, AFlagReachesTheOutletOfItsRow) {
  stage.before("flags");
  const int row = stage.plan.wafer.rows - 1;
  // A misaligned vector address in one row: `fill` at element 1, where the row's constants are; they are not needed
  // now.
  const assembler::Program& program = stage.plan.program;
  std::vector<machine::Message> messages =
      compiler::call_messages(program, "fill", {{"first", 1}, {"words", 1}, {"value", 0}});
  messages.insert(messages.begin(), machine::Message::select({.row = row}));
  messages.push_back(machine::Message::select());
  stage.wafer->feed(messages);
  stage.step();
  for (int r = 0; r < stage.plan.wafer.rows; ++r)
    EXPECT_EQ(stage.words[r].at(0), r == row ? 1U << 5 : 0U) << "row " << r;
}

TEST_P(System, LoadingClearsAllMemoryAndSetsTheOnes) {
  const Gpt2Stage fresh(GetParam().model, GetParam().wafer, GetParam().sequences);
  for (const double x : fresh.per_token(fresh.memory.ones)) EXPECT_EQ(x, 1);
  for (const double x : fresh.array(fresh.spaces.hidden, fresh.memory.residual).values) EXPECT_EQ(x, 0);
  const machine::WaferShape& shape = fresh.plan.wafer;
  const int end = shape.sram_elements(), row = shape.rows - 1, col = shape.cols - 1;
  const auto other = make_model_wafer(shape);  // memory starts as zeros
  other->feed(fresh.plan.load);
  other->settle();
  const assembler::Program& program = fresh.plan.program;
  fresh.wafer->feed(
      compiler::call_messages(program, "fill", {{"first", 0}, {"words", end / shape.lanes}, {"value", 0x4000}}));
  fresh.wafer->settle();
  EXPECT_EQ(fresh.wafer->sram(row, col), std::vector<std::uint16_t>(static_cast<std::size_t>(end), 0x4000));
  fresh.wafer->feed(fresh.plan.load);
  fresh.wafer->settle();
  EXPECT_EQ(fresh.wafer->sram(row, col), other->sram(row, col));
}

WEFT_KERNEL_CASES(System);

}  // namespace
}  // namespace weft::kernels
