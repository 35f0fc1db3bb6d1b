// Illegal instructions and colors that are not built: the flag is set, the thread halts, and the tile continues.
#include <gtest/gtest.h>

#include "tests/illegal_words.hpp"
#include "tests/pe/stream_case.hpp"

namespace weft::test {
namespace {

constexpr int kBadColor = 1 << 1, kBadInstr = 1 << 4;

std::string word(std::uint32_t bits) { return ".word " + std::to_string(bits) + "\n"; }
std::string word(const isa::Instr& i) { return word(isa::encode(i)); }

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
  for (const std::uint32_t bad : bad_instructions(isa::Thread::Main)) expect_halts(on_main(word(bad)), kBadInstr);
}

TEST(Illegal, PsumHaltsAndTheFlagIsSet) {
  for (const std::uint32_t bad : bad_instructions(isa::Thread::Psum)) expect_halts(on_psum(word(bad)), kBadInstr);
}

TEST(Illegal, AColorThatIsNotBuiltHaltsPsum) {
  for (const std::uint32_t bad : bad_colors(isa::kColors)) expect_halts(on_psum(word(bad)), kBadColor);
}

// An instruction does not use the color of a field that is switched off.
TEST(Illegal, UnusedFieldsAreNotLookedAt) {
  TileGrid g;
  g.program(on_psum(csr("VL", 1) +
                    word({.op = isa::Opcode::Vs, .vsop = isa::VsOp::Mov, .d = isa::VsD::R, .cin = 9, .cout = 9}) +
                    word({.op = isa::Opcode::Vb, .rd = 1, .cin = 0, .cout = 31}) + "snd WEST, r0\n halt"));
  g.call(0);
  g.settle();
  EXPECT_EQ(g.outlet(), Words{0});
  EXPECT_EQ(g.flags(), 0);
}

TEST(Illegal, MvpWhilePsumRuns) {
  expect_halts("fork P\n mvp r1, r0\nL: jmp L\nP: li r9, 50\nD: dbnz r9, D\n halt\n", kBadInstr);
  TileGrid g;  // psum's core has halted, but its last instruction continues: the registers are free
  g.program("fork P\n li r9, 40\nD: dbnz r9, D\n mvp r1, r9\n halt\nP: " + csr("VL", 256) +
            "vs.mov own=R[r0], dst=R[r0]\n halt");
  g.call(0);
  g.settle();
  EXPECT_EQ(g.flags(), 0);
}

TEST(Illegal, SequencerFinishesItsInstruction) {
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
