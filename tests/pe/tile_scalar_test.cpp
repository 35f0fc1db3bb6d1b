// Every scalar instruction, and main's commands, on one tile.
#include <gtest/gtest.h>

#include "tests/pe/tile_grid.hpp"

namespace weft::test {
namespace {

/// Runs a program to its halt with r1 = a, r2 = b and returns r3.
int r3_after(const std::string& body, int a = 0, int b = 0) {
  TileGrid g;
  g.program(body + "\n halt\n");
  g.set_reg(1, a);
  g.set_reg(2, b);
  g.call(0);
  g.settle();
  EXPECT_EQ(g.flags(), 0);
  EXPECT_FALSE(g.tile().rootp->weft_tile__DOT__i_pe__DOT__i_scalar__DOT__i_main_thread__DOT__state_q);
  return g.reg(0, 3);
}

TEST(Scalar, ComputesModulo65536) {
  EXPECT_EQ(r3_after("li r3, 0xbeef"), 0xbeef);
  EXPECT_EQ(r3_after("add r3, r1, r2", 0xfff0, 0x11), 1);
  EXPECT_EQ(r3_after("sub r3, r1, r2", 3, 5), 0xfffe);
  EXPECT_EQ(r3_after("and r3, r1, r2", 0xf0f0, 0xff00), 0xf000);
  EXPECT_EQ(r3_after("or r3, r1, r2", 0xf0f0, 0xff00), 0xfff0);
  EXPECT_EQ(r3_after("xor r3, r1, r2", 0xf0f0, 0xff00), 0x0ff0);
  EXPECT_EQ(r3_after("addi r3, r1, -7", 3), 0xfffc);
  EXPECT_EQ(r3_after("shl r3, r1, 5", 0x0841), 0x0820);
  EXPECT_EQ(r3_after("shr r3, r1, 5", 0xffff), 0x07ff);
}

TEST(Scalar, RegisterZeroStaysZero) {
  EXPECT_EQ(r3_after("li r0, 7\n add r3, r0, r1", 4), 4);
  EXPECT_EQ(r3_after("jal r0, L\nL: mov r3, r0"), 0);
}

TEST(Scalar, BranchesCompareUnsigned) {
  const std::string tail = " L\n li r3, 1\n halt\nL: li r3, 2";
  const int values[] = {0, 1, 0x7fff, 0x8000, 0xffff};
  for (int a : values) {
    for (int b : values) {
      EXPECT_EQ(r3_after("beq r1, r2," + tail, a, b), 1 + (a == b));
      EXPECT_EQ(r3_after("bne r1, r2," + tail, a, b), 1 + (a != b));
      EXPECT_EQ(r3_after("blt r1, r2," + tail, a, b), 1 + (a < b));
      EXPECT_EQ(r3_after("bge r1, r2," + tail, a, b), 1 + (a >= b));
    }
  }
}

TEST(Scalar, LoopsCallsAndReturns) {
  EXPECT_EQ(r3_after("L: add r3, r3, r2\n dbnz r1, L", 10, 7), 70);
  EXPECT_EQ(r3_after("jal r15, F\n addi r3, r3, 1\n halt\nF: li r3, 40\n jr r15"), 41);
  EXPECT_EQ(r3_after("jal r3, F\nF: halt"), 1);
}

TEST(Scalar, ControlRegistersReadBack) {
  for (const char* csr : {"VL", "REP", "STA", "STB", "STD", "IDX", "LMASK"}) {
    EXPECT_EQ(r3_after(std::string("csrw ") + csr + ", r1\n csrr r3, " + csr, 0x1234), 0x1234) << csr;
  }
  TileGrid g(3, 2);
  g.program("csrr r3, ROW\n csrr r4, ROWS\n csrr r5, FLAGS\n halt");
  for (int r = 0; r < 3; ++r) g.call(0, r);
  g.settle();
  for (int r = 0; r < 3; ++r) {
    EXPECT_EQ(g.reg(0, 3, r, 1), r);
    EXPECT_EQ(g.reg(0, 4, r, 0), 3);
    EXPECT_EQ(g.reg(0, 5, r, 0), 0);
  }
}

TEST(Scalar, BothThreadsKnowWhereTheyAre) {
  TileGrid g(2, 3);
  g.program(
      "fork P\n csrr r1, ROW\n csrr r2, ROWS\n csrr r3, COL\n csrr r4, COLS\n join\n halt\n"
      "P: csrr r1, ROW\n csrr r2, ROWS\n csrr r3, COL\n csrr r4, COLS\n csrr r5, FLAGS\n csrr r6, VL\n halt");
  for (int r = 0; r < 2; ++r) g.call(0, r);
  g.settle();
  for (int thread = 0; thread < 2; ++thread) {
    for (int r = 0; r < 2; ++r) {
      for (int c = 0; c < 3; ++c) {
        const int expected[] = {r, 2, c, 3};
        for (int k = 0; k < 4; ++k) EXPECT_EQ(g.reg(thread, k + 1, r, c), expected[k]);
        EXPECT_EQ(g.flags(r, c), 0);
      }
    }
  }
}

TEST(Scalar, VlCountsModulo256AndReadsBackAsWritten) {
  for (int vl : {0, 1, 255, 256, 257, 65535}) {
    const unsigned beats = vl % 256 == 0 ? 256 : vl % 256;
    TileGrid g;
    g.program("li r1, " + std::to_string(vl) +
              "\n csrw VL, r1\n csrr r2, VL\n mvp r1, r1\n li r9, 1\n csrw REP, r9\n"
              "vf.fma R[r0], S[r9], S[r9], Z\n fork P\n join\n halt\n"
              "P: csrw VL, r1\n csrr r2, VL\n vs.mov own=R[r0], dst=R[r0]\n halt");
    g.call(0);
    g.settle();
    EXPECT_EQ(g.reg(0, 2), vl);
    EXPECT_EQ(g.reg(1, 2), vl);
    EXPECT_EQ(g.tile().beats_o, beats * (1 + kLanes / 2)) << "VL " << vl;
    EXPECT_EQ(g.flags(), 0);
  }
}

TEST(Scalar, LoadReadsAnyElement) {
  TileGrid g;
  g.write(101, {0x1111, 0x2222, 0x3333, 0x4444, 0x5555});
  g.program("ld r3, r1, 1\n ld r4, r1, 4\n ld r5, r1, 2\n add r6, r3, r4\n halt");
  g.set_reg(1, 100);
  g.call(0);
  g.settle();
  EXPECT_EQ(g.reg(0, 3), 0x1111);
  EXPECT_EQ(g.reg(0, 4), 0x4444);
  EXPECT_EQ(g.reg(0, 5), 0x2222);
  EXPECT_EQ(g.reg(0, 6), 0x5555);
}

TEST(Scalar, LoadSeesTheVectorInstructionBefore) {
  TileGrid g;
  g.program(
      std::string("li r2, 8\n csrw VL, r2\n li r2, 1\n csrw REP, r2\n li r4, bf16(2.5)\n li r5, bf16(2)\n li r6, 64\n"
                  "vf.fma M[r6], S[r4], S[r5], Z\n ld r3, r6, ") +
      std::to_string(8 * kLanes - 1) + "\n halt");
  g.call(0);
  g.settle();
  EXPECT_EQ(g.reg(0, 3), 0x40a0);  // 5.0
}

TEST(Scalar, ThreadsForkJoinAndPassRegisters) {
  TileGrid g;
  g.program(R"(
    li r4, 5
    mvp r1, r4
    fork P
    join
    ld r3, r0, 0
    mvp r2, r3
    fork P2
    halt
P:  snd RING, r1
    rcv r2, RING
    addi r3, r2, 3
    li r4, 0
    csrr r5, ROW
    halt
P2: snd WEST, r2
    snd WEST, r3
    halt)");
  g.write(0, {0x77});
  g.call(0);
  g.settle();
  EXPECT_EQ(g.outlet(), (std::vector<std::uint32_t>{0x77, 8}));
}

TEST(Scalar, ReceiveFromTheEastIsZeroInTheLastColumn) {
  TileGrid g(1, 3);
  g.program("fork P\n halt\nP: rcv r1, WEST\n addi r1, r1, 10\n snd WEST, r1\n halt");
  g.call(0);
  g.settle();
  EXPECT_EQ(g.outlet(), (std::vector<std::uint32_t>{30}));
}

TEST(Scalar, AnIllegalInstructionStopsTheThreadAndSetsTheFlag) {
  TileGrid g;
  g.program(".word 0\n");
  g.call(0);
  g.settle();
  EXPECT_EQ(g.flags(), 1 << 4);
  g.program("li r3, 9\n halt\n");  // and main takes commands again
  g.call(0);
  g.settle();
  EXPECT_EQ(g.reg(0, 3), 9);
}

TEST(Commands, SelectNarrowsWhatFollows) {
  TileGrid g(1, 3);
  g.select(0, {0, 1});
  g.set_reg(1, 11);
  g.write(8, {5});
  g.select(0, {});
  g.set_reg(2, 22);
  g.select(0, {.row = 7});
  g.set_reg(2, 33);
  g.settle();
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(g.reg(0, 1, 0, c), c == 1 ? 11 : 0);
    EXPECT_EQ(g.reg(0, 2, 0, c), 22);
    EXPECT_EQ(g.mem(8, 0, c), c == 1 ? 5 : 0);
    EXPECT_EQ(g.flags(0, c), 0);
  }
}

TEST(Commands, StrangersAtRestSetAFlag) {
  for (const machine::Message m :
       {machine::Message::weight(1, 2), machine::Message::command(machine::Command::CR, 0, 0),
        machine::Message{0xff000000, true}}) {
    TileGrid g;
    g.send(0, m);
    g.settle();
    EXPECT_EQ(g.flags(), 1 << 3);
  }
}

TEST(Commands, AddressesBeyondTheMemorySetAFlag) {
  TileGrid g;
  g.write(24575, {1});
  g.settle();
  EXPECT_EQ(g.flags(), 0);
  g.write(24576, {1});
  g.settle();
  EXPECT_EQ(g.flags(), 1 << 6);
}

}  // namespace
}  // namespace weft::test
