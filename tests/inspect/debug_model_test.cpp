/// The debugger on the functional model.
#include <gtest/gtest.h>

#include "tests/compiler/listed_stream.hpp"
#include "tests/inspect/rerouted.hpp"
#include "tests/inspect/session.hpp"

namespace weft::inspect::debug::debug_model_test {
namespace {

constexpr const char* kPhase = "h.0.attn.c_attn.q";

/// The tiles' states after the phase in a model without a debugger.
std::vector<machine::TileState> after_the_phase(Phases& tiny) {
  SnapshotToRtl travel = tiny.travel("h.0.attn.c_attn.k");
  std::vector<machine::TileState> all;
  for (int r = 0; r < tiny.plan.wafer.rows; ++r)
    for (int c = 0; c < tiny.plan.wafer.cols; ++c) all.push_back(travel.model().state(r, c));
  return all;
}

TEST(DebugModel, MovesDoWhatTheModelDoes) {
  for (const int depth : {0, 4}) {
    OnModel s(kPhase, depth);
    std::uint64_t moves = 0;
    for (const std::size_t phase = s.target.phase(); s.target.phase() == phase;) {
      ASSERT_TRUE(s.target.advance());
      ++moves;
    }
    EXPECT_GT(moves, 1000u);
    s.target.rewind(0);
    while (s.target.time() + 1 < moves) ASSERT_TRUE(s.target.advance());  // up to the last one of the phase
    EXPECT_EQ(s.states(), after_the_phase(s.tiny)) << "depth " << depth;
  }
}

TEST(DebugModel, StepsByInstructionBeatAndMove) {
  OnModel s(kPhase);
  s.run({"break gemm_output 2,1", "c"});
  s.prints({"step"}, "main at vcr R[r6], R[r5]");
  s.prints({"beat"}, "has done 64 beats");
  const std::uint64_t at = s.target.time();
  s.prints({"back 2"}, "main at vaxs");
  EXPECT_EQ(s.target.time(), at - 2);
  s.prints({"move 2"}, "has done 64 beats");
  EXPECT_EQ(s.target.time(), at);
  s.prints({"delete 0", "thread psum", "step 3"}, "psum at ");
  s.prints({"cycle"}, "there are no cycles here. HINT: the model has no cycles: move N");
  s.prints({"tile 0,0", "step"}, "tile 0,0");
}

TEST(DebugModel, BackAndForthComeToTheSame) {
  for (const int depth : {0, 4}) {
    OnModel s(kPhase, depth, rerouted(kPhase, {{isa::Port::W, 16}}));  // a rest has routes that differ from the load's
    s.run({"move 1700"});
    const std::vector<std::string> look = {"where all", "info registers", "info streams", "info routes"};
    const auto states = s.states();
    const std::string then = s.run(look);
    s.run({"move 123", "back 123"});
    EXPECT_EQ(s.run(look), then);
    EXPECT_EQ(s.states(), states);
    s.run({"break phase h.0.attn.c_attn.v", "continue", "move 50"});
    const std::uint64_t far = s.target.time();
    const auto there = s.states();
    s.run({"goto 1700"});  // across rests
    EXPECT_EQ(s.states(), states);
    s.run({"goto " + std::to_string(far)});
    EXPECT_EQ(s.states(), there);
    s.run({"move 20", "back 20"});  // replayed from the previous rest
    EXPECT_EQ(s.states(), there);
  }
}

TEST(DebugModel, PrintsWhatTheModelRefusesAndReturnsFromIt) {
  using isa::Port;
  OnModel s(kPhase, 0,
            rerouted(kPhase, {{Port::Ramp, 2}, {Port::W, 8}, {Port::E, 2}}));  // back and forth between neighbors
  s.prints({"c"}, "HINT: ");
  const std::uint64_t at = s.target.time();
  const auto states = s.states();
  s.prints({"step"}, "HINT: ");
  s.prints({"goto 100", "c"}, "HINT: ");
  EXPECT_EQ(s.target.time(), at);
  EXPECT_EQ(s.states(), states);
}

/// At a label, the thread's registers are set and its next operands have arrived, on any machine.
TEST(DebugModel, HasAtALabelWhatTheRtlHas) {
  OnModel model(kPhase);
  OnRtl rtl(kPhase);
  const std::vector<std::string> look = {"print x[0][0:8]", "print r1",     "print r2",        "print r3",   "print r5",
                                         "print r6",        "print csr VL", "print y[0][0]/x", "info routes"};
  int number = 0;
  for (const char* stop : {"break gemm_output 2,1", "break gemm_start 0,3", "break gemm.s:14 3,0"}) {
    model.run({stop}), rtl.run({stop});
    for (int times = 0; times < 3; ++times) {
      model.prints({"c"}, " main is at ");
      rtl.prints({"c"}, " main is at ");
      EXPECT_EQ(model.run(look), rtl.run(look)) << stop << ", time " << times;
    }
    const std::vector<std::string> again = {"delete " + std::to_string(number++), "goto 0"};
    model.run(again), rtl.run(again);
  }
}

TEST(DebugModel, HasCreditsIfLinksAreBounded) {
  OnModel without(kPhase), with(kPhase, 4);
  without.prints({"move 500", "info credits"},
                 "links of the model have no bound, and so no credits. HINT: --wafer.depth");
  with.prints({"move 500", "info credits"}, "RING: N 4 E");
  with.prints({"info streams"}, "W: 4 wait from W");
}

TEST(DebugModel, PrintsTheRootCauseOfAHang) {
  const auto cut = [](compiler::Plan& plan) {
    auto& stream = compiler::listed_entries(plan.ops[find_phase(plan, kPhase)]);
    stream.resize(stream.size() / 2);
    plan.ops.resize(find_phase(plan, kPhase) + 1);
  };
  OnModel s(kPhase, 0, cut);
  s.prints({"report"}, "the wafer does not hang. HINT: ");
  s.prints({"c"}, "root cause: tile (");
  EXPECT_TRUE(s.typed.shell.failed());
  s.prints({"report"}, "wait-for chain:");
  s.prints({"where"}, "waits for W");
  s.prints({"back 5", "report"}, "the wafer does not hang");
  s.prints({"c"}, "root cause: tile (");
}

}  // namespace
}  // namespace weft::inspect::debug::debug_model_test
