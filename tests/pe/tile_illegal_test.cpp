// Illegal instructions and colors that are not built: the flag is set, the thread halts, and the tile continues.
#include <gtest/gtest.h>

#include "tests/pe/stream_case.hpp"

namespace weft::test {
namespace {

constexpr int kBadColor = 1 << 1, kBadInstr = 1 << 4;

std::string word(isa::Instr i) { return ".word " + std::to_string(isa::encode(i)) + "\n"; }
isa::Instr snd(int color) { return {.op = isa::Op::Snd, .color = static_cast<std::uint8_t>(color)}; }

/// Runs a program and expects the flags; then the tile still accepts a call, of a program that uses both threads.
void expect_halts(const std::string& program, int flags) {
  SCOPED_TRACE(program);
  TileGrid g;
  g.program(program);
  g.call(0);
  g.settle();
  EXPECT_EQ(g.flags(), flags);
  EXPECT_FALSE(g.tile().rootp->weft_tile__DOT__i_pe__DOT__i_scalar__DOT__i_main_thread__DOT__state_q);
  EXPECT_FALSE(g.tile().rootp->weft_tile__DOT__i_pe__DOT__i_scalar__DOT__i_psum_thread__DOT__state_q);
  g.outlet().clear();
  g.program("li r1, 9\n fork P\n mvp r2, r1\n halt\nP: snd WEST, r0\n halt\n");
  g.program("li r1, 9\n mvp r2, r1\n fork P\n join\n halt\nP: snd WEST, r2\n halt\n");
  g.call(0);
  g.settle();
  EXPECT_EQ(g.outlet(), Words{9});
  EXPECT_EQ(g.flags(), flags);
}

std::string on_main(const std::string& text) { return text + "\nL: jmp L\n"; }
std::string on_psum(const std::string& text) { return "fork P\n halt\nP: " + text + "\nL: jmp L\n"; }

TEST(Illegal, MainHaltsAndTheFlagIsSet) {
  const auto kAsel3 = static_cast<isa::ASel>(3);
  const isa::Instr words[] = {
      {.op = isa::Op::Vf, .asel = kAsel3, .bsel = isa::BSel::R},
      {.op = isa::Op::Vaxs, .asel = kAsel3},
      {.op = isa::Op::Vaxs, .asel = isa::ASel::S},
      {.op = isa::Op::Vdot, .asel = isa::ASel::S},
      {.op = isa::Op::Vs},
      {.op = isa::Op::Rcv, .color = 1},
      {.op = isa::Op::Csrr, .csr = static_cast<isa::Csr>(14)},
      {.op = isa::Op::Csrr, .csr = static_cast<isa::Csr>(13)},
      {.op = isa::Op::Csrw, .csr = isa::Csr::Row},
      {.op = isa::Op::Csrw, .csr = isa::Csr::Cols},
  };
  for (const isa::Instr& i : words) expect_halts(on_main(word(i)), kBadInstr);
}

TEST(Illegal, PsumHaltsAndTheFlagIsSet) {
  const isa::Instr words[] = {
      {.op = isa::Op::Vf},
      {.op = isa::Op::Fork},
      {.op = isa::Op::Csrr, .csr = isa::Csr::Rep},
      {.op = isa::Op::Csrw, .csr = isa::Csr::Lmask},
      {.op = isa::Op::Csrw, .csr = isa::Csr::Flags},
      {.op = isa::Op::Rcv, .color = 0},
      snd(0),
      {.op = isa::Op::Vs, .vsop = static_cast<isa::VsOp>(3)},
      {.op = isa::Op::Vs, .d = static_cast<isa::VsD>(3)},
      {.op = isa::Op::Vs, .out = true, .cout = 0},
      {.op = isa::Op::Vs, .in = true, .cin = 0},
      {.op = isa::Op::Vs, .gather = true, .cin = 3},
      {.op = isa::Op::Vs, .in = true, .out = true, .gather = true, .cin = 3, .cout = 3},
      {.op = isa::Op::Vs, .out = true, .d = isa::VsD::R, .gather = true, .cin = 3, .cout = 3},
      {.op = isa::Op::Vb, .out = true, .cout = 0},
      {.op = isa::Op::Vr, .cin = 0, .cout = 3},
  };
  for (const isa::Instr& i : words) expect_halts(on_psum(word(i)), kBadInstr);
}

TEST(Illegal, AColorThatIsNotBuiltHaltsPsum) {
  for (int color : {4, 17, 31}) {
    const auto c = static_cast<std::uint8_t>(color);
    for (const isa::Instr& i :
         {snd(color), isa::Instr{.op = isa::Op::Rcv, .color = c}, isa::Instr{.op = isa::Op::Vs, .in = true, .cin = c},
          isa::Instr{.op = isa::Op::Vs, .out = true, .cout = c},
          isa::Instr{.op = isa::Op::Vs, .out = true, .gather = true, .cin = c, .cout = 3},
          isa::Instr{.op = isa::Op::Vb, .in = true, .cin = c}, isa::Instr{.op = isa::Op::Vr, .cin = 3, .cout = c}})
      expect_halts(on_psum(word(i)), kBadColor);
  }
}

// An instruction does not use the color of a field that is switched off.
TEST(Illegal, UnusedFieldsAreNotLookedAt) {
  TileGrid g;
  g.program(on_psum(csr("VL", 1) +
                    word({.op = isa::Op::Vs, .vsop = isa::VsOp::Mov, .d = isa::VsD::R, .cin = 9, .cout = 9}) +
                    word({.op = isa::Op::Vb, .rd = 1, .cin = 0, .cout = 31}) + "snd WEST, r0\n halt"));
  g.call(0);
  g.settle();
  EXPECT_EQ(g.outlet(), Words{0});
  EXPECT_EQ(g.flags(), 0);
}

TEST(Illegal, MvpBesideARunningPsum) {
  expect_halts("fork P\n mvp r1, r0\nL: jmp L\nP: li r9, 50\nD: dbnz r9, D\n halt\n", kBadInstr);
  TileGrid g;  // psum's core has halted, but its last instruction continues: the registers are free
  g.program("fork P\n li r9, 40\nD: dbnz r9, D\n mvp r1, r9\n halt\nP: " + csr("VL", 256) +
            "vs.mov own=R[r0], dst=R[r0]\n halt");
  g.call(0);
  g.settle();
  EXPECT_EQ(g.flags(), 0);
}

TEST(Illegal, WhatTheSequencerHasBegunIsFinished) {
  TileGrid g;
  g.program("li r1, 0x3f80\n" + csr("VL", 16) + csr("REP", 3) + csr("STD", 16 * kLanes) +
            "vf.fma M[r0], S[r1], S[r1], Z\n .word 0");
  g.call(0);
  g.write(48 * kLanes, {7});
  g.settle();
  for (int i = 0; i < 48 * kLanes; ++i) ASSERT_EQ(g.mem(i), 0x3f80) << i;
  EXPECT_EQ(g.mem(48 * kLanes), 7);
  EXPECT_EQ(g.flags(), kBadInstr);
}

}  // namespace
}  // namespace weft::test
