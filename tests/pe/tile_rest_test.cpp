// A tile takes commands when both threads have halted and all their beats are written, and not before.
#include <gtest/gtest.h>

#include "tests/pe/stream_case.hpp"

namespace weft::test::tile_rest_test {
namespace {

constexpr int kBadCommand = 1 << 3, kBadInstr = 1 << 4, kBadAddress = 1 << 6;

/// A program whose main forks psum and halts at once; psum waits so many cycles, and then executes `psum`.
std::string late_psum(int cycles, const std::string& psum) {
  return "fork P\n halt\nP: li r9, " + std::to_string(cycles) + "\nD: dbnz r9, D\n" + csr("VL", 1) + psum + "\n halt";
}

TEST(Rest, MemoryIsWrittenAfterWhatPsumWrites) {
  TileGrid g;
  g.program(late_psum(100, "vs.mov own=R[r0], dst=M[r0]"));
  for (int l = 0; l < kLanes; ++l) g.acc(0, l) = 0x3f800000;
  g.call(0);
  g.write(0, {7});
  g.settle();
  EXPECT_EQ(g.mem(0), 7);
  EXPECT_EQ(g.mem(1), 0x3f80);
  EXPECT_EQ(g.flags(), 0);
}

TEST(Rest, InstructionsAreLoadedWhenPsumRunsNoMore) {
  TileGrid g;
  const auto program = [](int word) { return late_psum(100, "li r1, " + std::to_string(word) + "\n snd WEST, r1"); };
  g.program(program(1));
  g.call(0);
  g.program(program(2));
  g.call(0);
  g.settle();
  EXPECT_EQ(g.outlet(), (Words{1, 2}));
}

TEST(Rest, AnAddressIsCheckedThoughPsumWasAtWork) {
  for (int delay = 40; delay < 44; ++delay) {  // the write falls into a beat of psum's, at some delay
    TileGrid g;
    g.program("fork P\n halt\nP: " + csr("VL", 256) + "vs.mov own=R[r0], dst=R[r0]\n halt");
    g.call(0);
    for (int n = 0; n < delay; ++n) g.command(0, machine::Command::Setreg, 1, 0);
    g.write(24576, {1});
    g.settle();
    EXPECT_EQ(g.flags(), kBadAddress) << delay;
  }
}

TEST(Rest, HaltNeedsNoJoin) {
  TileGrid g;  // at the second call psum is idle, its registers as the first left them
  g.program("fork P\n halt\nP: addi r1, r1, 1\n" + csr("VL", 64) + "vs.mov own=R[r0], dst=R[r0]\n snd WEST, r1\n halt");
  for (int n = 0; n < 3; ++n) g.call(0);
  g.settle();
  EXPECT_EQ(g.outlet(), (Words{1, 2, 3}));
}

TEST(Rest, AStreamThatOutlivesItsThreadStillGetsItsWeights) {
  TileGrid g;
  g.program(csr("VL", 2) + csr("STA", 2 * kLanes) + csr("LMASK", 3) + "vaxs R[r0], M[r0]\n .word 0");
  for (int i = 0; i < 8 * kLanes; ++i) g.poke(i, 0x3f80);
  g.call(0);
  for (std::uint16_t n = 0; n < 40; ++n) g.weight(0, n, 0x3f80);
  g.cr();
  g.set_reg(5, 55);
  g.settle();
  EXPECT_EQ(g.flags(), kBadInstr);
  for (int n = 0; n < 2 * kLanes; ++n) EXPECT_EQ(g.acc(n / kLanes, n % kLanes), as_bits(40.0f));
  EXPECT_EQ(g.reg(0, 5), 55);
}

TEST(Rest, CommandsWaitForTheLastBeatOfEitherThread) {
  // vf ends 8 cycles after its halt, psum's vs 256 * Lanes / 2.
  TileGrid g;
  g.program(csr("VL", 1) + csr("REP", 1) + "fork P\n vf.exp M[r0], S[r0], S[r0], Z\n halt\nP: " + csr("VL", 256) +
            "vs.mov own=R[r0], dst=R[r0]\n halt");
  g.call(0);
  g.set_reg(1, 1);
  auto* root = g.tile().rootp;
  while (!root->weft_tile__DOT__i_pe__DOT__i_scalar__DOT__i_main_thread__DOT__state_q) g.step();
  std::uint64_t halted = 0;
  while (g.reg(0, 1) == 0 && g.cycles() < 5000) {
    if (!root->weft_tile__DOT__i_pe__DOT__i_scalar__DOT__i_main_thread__DOT__state_q && halted == 0)
      halted = g.cycles();
    g.step();
  }
  EXPECT_EQ(g.reg(0, 1), 1);
  EXPECT_GT(g.cycles() - halted, 256u * kLanes / 2 - 20);
  EXPECT_EQ(g.mem(0), 0x3f80);  // exp(0)
}

// Main puts an entry into MP that is never taken.
TEST(Rest, ACallFindsEmptyHandoffQueuesAndEvenParities) {
  TileGrid g;
  g.program(csr("VL", 1) + "li r1, 8\n vcr R[r1], R[r0]\n halt\n" +  // at 0: leaves an entry
            "B: " + csr("VL", 1) + "li r1, 8\n mvp r1, r1\n fork P\n vcr R[r1], R[r0]\n join\n halt\n" +  //
            "P: " + csr("VL", 1) + "vs.mov own=Q[r1], out=WEST\n halt");
  for (int l = 0; l < kLanes; ++l) g.acc(0, l) = 11;
  g.call(0);
  g.settle();
  EXPECT_EQ(g.acc(8, 0), 11u);
  for (int l = 0; l < kLanes; ++l) g.acc(0, l) = 22;
  g.call(5);
  g.settle();
  EXPECT_EQ(g.acc(8, 0), 22u);  // parity 0 again
  EXPECT_EQ(g.outlet(), Words(kLanes, 22));
  EXPECT_EQ(g.flags(), 0);
}

TEST(Rest, AnAbortedKernelLeavesNothingForTheNext) {
  TileGrid g;  // psum puts an entry into PM and main takes none; main halts by an illegal instruction
  g.program("fork P\n .word 0\nP: " + csr("VL", 1) + "li r2, 120\n vb src=M[r0], dst=M[r2]\n halt\n" +  //
            "B: " + csr("VL", 1) +
            "li r5, 40\n mvp r2, r5\n li r6, 100\n fork Q\n vdot R[r6], M[r0], M[r5]\n join\n halt\n" +
            "Q: " + csr("VL", 1) + "vb src=M[r2], dst=M[r2]\n li r3, 100\n vr in=WEST, out=WEST, src=R[r3]\n halt");
  for (int l = 0; l < kLanes; ++l) g.poke(l, 0x3f80), g.poke(40 + l, 0x4000);
  g.call(0);
  g.settle();
  EXPECT_EQ(g.flags(), kBadInstr);
  g.call(8);
  g.weight(0, 0, 0);
  g.cr();
  g.settle();
  EXPECT_EQ(g.outlet(), Words{as_bits(2.0f * kLanes)});
  EXPECT_EQ(g.flags(), kBadInstr);
}

TEST(Rest, StrangersWhilePsumRunsAreJudgedAfterwards) {
  TileGrid g;
  g.program(late_psum(100, "snd WEST, r0"));
  g.call(0);
  g.weight(0, 1, 2);
  for (int n = 0; n < 60; ++n) g.step();
  EXPECT_EQ(g.flags(), 0);
  g.settle();
  EXPECT_EQ(g.flags(), kBadCommand);
}

}  // namespace
}  // namespace weft::test::tile_rest_test
