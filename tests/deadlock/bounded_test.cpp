/// The model with links as deep as the RTL's deadlocks exactly when the RTL does, and in the same place.
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/program/load.hpp"
#include "sw/deadlock/report.hpp"
#include "tests/cosim/tiny.hpp"
#include "tests/deadlock/same_part.hpp"
#include "verif/wafer.hpp"

namespace weft::deadlock {
namespace {

TEST(BoundedModel, HangsWhereTheRtlDoes) {
  test::Rng rng(test::test_seed());
  int hung = 0, passed = 0, only_bounded = 0;
  for (int i = 0; i < 400; ++i) {
    const Fabric f = random_fabric(rng);
    const auto rtl = run(*make_rtl_wafer(f.shape), f);
    const auto model = run(*make_model_wafer(f.shape, 1, isa::kDepth), f);
    const auto free = run(*make_model_wafer(f.shape), f);
    std::string text = "case " + std::to_string(i) + ": " + std::to_string(f.shape.rows) + " x " +
                       std::to_string(f.shape.cols) + ", " + std::to_string(f.shape.lanes) + " lanes\n";
    for (std::size_t t = 0; t < f.sources.size(); ++t) text += "tile " + std::to_string(t) + "\n" + f.sources[t];
    ASSERT_EQ(rtl != nullptr, model != nullptr) << text << (rtl ? report(*rtl, nullptr) : report(*model, nullptr));
    if (rtl) {
      ASSERT_EQ(same_part(*rtl), same_part(*model)) << text;
    }
    (rtl ? hung : passed) += 1;
    only_bounded += rtl && !free;
    if (free) {
      EXPECT_TRUE(rtl) << "more room never makes it hang\n" << text;
    }
  }
  std::cout << hung << " hang, " << only_bounded << " of them only as links have an end; " << passed << " do not\n";
  EXPECT_GT(hung, 40);
  EXPECT_GT(only_bounded, 10);
  EXPECT_GT(passed, 50);
}

/// A vb that waits for room in PM has taken all words of its beat but the last; the rest of the stream queues behind
/// it.
TEST(BoundedModel, TakesABeatsWordsAhead) {
  for (const int lanes : {4, 8}) {
    Fabric f;
    f.shape = {.rows = 2, .cols = 1, .lanes = lanes};
    f.messages = compiler::route_messages(f.shape);
    const auto load = compiler::program_messages(assembler::assemble(R"(
        fork p
        join
        halt
p:      li   r1, 1
        csrw VL, r1
        li   r2, 60
        csrr r1, ROW
        beq  r1, r0, send
        vb   in=RING, dst=M[r0]
        vb   in=RING, dst=M[r0]
        vb   in=RING, dst=M[r0]
        halt
send:   snd  RING, r2
        dbnz r2, send
        halt
)",
                                                                     "x.s"));
    f.messages.insert(f.messages.end(), load.begin(), load.end());
    f.messages.push_back(machine::Message::command(machine::Command::Call, 0, 0));
    const auto rtl = run(*make_rtl_wafer(f.shape), f);
    const auto model = run(*make_model_wafer(f.shape, 1, isa::kDepth), f);
    ASSERT_TRUE(rtl && model);
    EXPECT_EQ(same_part(*rtl), same_part(*model)) << lanes << " lanes";
  }
}

/// Link depth affects timing only, never results.
TEST(BoundedModel, HasTheBitsOfTheOther) {
  for (const machine::WaferShape& shape :
       {machine::WaferShape{.rows = 3, .cols = 2, .valves = 2}, machine::WaferShape{.rows = 1, .cols = 2, .lanes = 8},
        machine::WaferShape{.rows = 2, .cols = machine::WaferShape::kColsToTurn}}) {
    const cosim::Tiny tiny(shape, cosim::tiny_model());
    const auto bounded = make_model_wafer(shape, 1, isa::kDepth), free = make_model_wafer(shape);
    for (Wafer* wafer : {bounded.get(), free.get()}) {
      wafer->feed(tiny.plan.load);
      wafer->settle();
      wafer->feed(tiny.messages);
      wafer->await(tiny.totals);
      wafer->settle();
    }
    EXPECT_EQ(bounded->flags(), "");
    for (int row = 0; row < shape.rows; ++row) {
      EXPECT_EQ(bounded->outlet(row), free->outlet(row));
      for (int col = 0; col < shape.cols; ++col)
        EXPECT_EQ(machine::difference(bounded->state(row, col), free->state(row, col)), "");
    }
    bounded->reset();
    bounded->feed(tiny.plan.load);
    bounded->settle();
    EXPECT_EQ(bounded->counters().edge_messages, tiny.plan.load.size() + (shape.valves - 1) * tiny.plan.load.size());
  }
}

}  // namespace
}  // namespace weft::deadlock
