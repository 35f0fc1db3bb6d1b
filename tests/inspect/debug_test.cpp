/// The debugger, driven by scripts.
#include <gtest/gtest.h>

#include "host/inspect/debug/show.hpp"
#include "sw/base/refusal.hpp"
#include "tests/inspect/session.hpp"
#include "verif/trace/words.hpp"

namespace weft::inspect::debug {
namespace {

TEST(Debug, StopsAtAnInstructionOfOneTile) {
  OnRtl s("h.0.attn.c_attn.q");
  s.prints({"break gemm_output 2,1", "continue"}, "stop 0: tile 2,1 main is at vaxs R[r5], M[r1]");
  EXPECT_TRUE(s.target.arrives({2, 1}, false));
  s.prints({"list"}, "-> ");
  s.prints({"step"}, "at vcr R[r6], R[r5]");
  s.prints({"delete 0", "break gemm.s:14", "c"}, "is at vcr");
}

TEST(Debug, StopsInAllTilesAndAtAMessageByEitherName) {
  OnRtl s("h.0.attn.c_attn.q");
  s.run({"break gemm_output all", "c"});
  std::string all;
  for (int n = 0; n < 40; ++n) all += s.run({"c"});
  for (const char* tile : {"tile 0,1", "tile 3,3"}) EXPECT_NE(all.find(tile), std::string::npos) << all;
  s.prints({"delete 0", "break message PSUM 1,1", "c"}, "tile 1,1 sends PSUM");
}

TEST(Debug, BackAndForthComeToTheSame) {
  OnRtl s("h.0.attn.c_attn.q");
  s.run({"tile 1,1", "cycle 700"});
  const std::string then =
      s.run({"where", "info registers", "info credits", "info streams", "print R[0]", "print R[16]"});
  s.run({"cycle 123", "back 123"});
  EXPECT_EQ(s.run({"where", "info registers", "info credits", "info streams", "print R[0]", "print R[16]"}), then);
  s.run({"break phase h.0.attn.c_attn.v", "continue", "goto 700"});
  EXPECT_EQ(s.run({"where", "info registers", "info credits", "info streams", "print R[0]", "print R[16]"}), then);
}

TEST(Debug, ReturnsOverARest) {
  OnRtl s("h.0.attn.c_attn.q");
  s.run({"break phase h.0.attn.c_attn.k", "continue", "cycle 100"});
  const std::uint64_t there = s.target.time();
  const std::string then = s.run({"where all"});
  s.prints({"back 200"}, "h.0.attn.c_attn.q");
  s.run({"goto " + std::to_string(there)});
  EXPECT_EQ(s.run({"where all"}), then);
}

TEST(Debug, MemoryIsWhatTheModelHasThere) {
  OnRtl s("h.0.attn.c_attn.k");
  const std::string first = s.run({"print ln_out[0][0:8]"});
  SnapshotToRtl travel = s.tiny.travel("h.0.attn.c_attn.k");
  const machine::TileState state = travel.model().state(0, 0);
  const compiler::ArraySymbol* array = compiler::find_symbol(s.tiny.plan.arrays, "ln_out");
  ASSERT_NE(array, nullptr);
  std::string expected;
  for (int t = 0; t < 8; ++t)
    expected += " " + trace::decimal_bf16(state.memory[static_cast<std::size_t>(array->address + t)]);
  EXPECT_TRUE(first.ends_with(":8]" + expected + "\n")) << first << expected;
  // An array of the running kernel, by its parameter's name.
  s.run({"break gemm_output 0,0", "c"});
  EXPECT_TRUE(s.run({"print x[0][0:8]"}).ends_with(":8]" + expected + "\n"));
}

TEST(Debug, ASubroutineIsPartOfTheKernelThatCalledIt) {
  for (const char* place : {"gemm_start", "gemm_output"}) {  // after embed_rotating's code, and in gemm's own
    OnRtl s("h.0.attn.c_attn.k");
    s.run({std::string("break ") + place + " 0,0", "c"});
    s.prints({"info symbols"}, "x, of the running gemm\n");
  }
  OnRtl s("h.0.ln_1");  // column_sum is in no kernel's file, and mean calls it
  s.run({"break column_sum 0,0", "c"});
  s.prints({"info symbols"}, "rstd, of the running layernorm\n");
}

TEST(Debug, StopsAtWritesMessagesAndPhases) {
  OnRtl s("h.0.attn.c_attn.q");
  s.prints({"break message RING 1,1", "c"}, "tile 1,1 ");
  s.prints({"delete 0", "break write h.0.q[0] 0,0", "c"}, "tile 0,0 writes ");
  s.prints({"delete 1", "break phase h.0.attn", "c"}, "h.0.attn begins");
  s.prints({"info breaks"}, "phase h.0.attn");
}

TEST(Debug, TheMicroBatchEnds) {
  OnRtl s("wpe.dw");
  s.prints({"c"}, "the micro-batch is over");
  s.prints({"c"}, "the micro-batch is over");
  s.prints({"goto 10", "beat"}, "cycle ");
  EXPECT_FALSE(s.typed.shell.failed());
}

TEST(Debug, AWrongLineSaysWhatToDoAndHarmsNothing) {
  OnRtl s("h.0.attn.c_attn.q");
  for (const char* wrong : {"nonsense",
                            "break",
                            "break nowhere",
                            "break gemm.s:1",
                            "break 99999",
                            "break message",
                            "break message PINK",
                            "break phase x",
                            "break write x",
                            "break write M[70000]",
                            "print",
                            "print r16",
                            "print M[1",
                            "print x[1][5:2]",
                            "print R[256]",
                            "print nothing[0]",
                            "print x[268435456][0:4]",
                            "break gemm_output 0-3,1",
                            "break gemm.s:",
                            "tile 9,9",
                            "tile 0-3,1",
                            "tile",
                            "thread third",
                            "info",
                            "info weather",
                            "delete 7",
                            "goto",
                            "goto x",
                            "print M[0:0]",
                            "step 0",
                            "move 3",
                            "report",
                            "step -1",
                            "step 5 6",
                            "continue 5",
                            "where 5",
                            "print h.0.q[8]",
                            "break write h.0.q[8]",
                            "print residual[0][30:40]",
                            "break message 9",
                            "break message W 0,0 more",
                            "break :12",
                            "print ln_out[99999999999][0]",
                            "print M[0xffffffff:2]"}) {
    const std::string text = s.run({wrong});
    EXPECT_NE(text.find("HINT: "), std::string::npos) << wrong << ": " << text;
  }
  EXPECT_TRUE(s.typed.shell.failed());
  EXPECT_EQ(s.target.time(), 0u);
  EXPECT_FALSE(s.typed.shell.run("quit"));
}

}  // namespace
}  // namespace weft::inspect::debug
