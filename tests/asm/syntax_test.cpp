/// The encoding of each instruction's text, as exact words.
#include <gtest/gtest.h>

#include "isa.hpp"
#include "sw/asm/assembler.hpp"

namespace weft::assembler {
namespace {

std::uint32_t one(const std::string& text) { return assemble(text, "text").words.at(0); }

TEST(Syntax, EncodingsAreAsTheReferencePageSays) {
  EXPECT_EQ(one("li r3, 0x1234"), 1u << 26 | 3u << 22 | 0x1234u);
  EXPECT_EQ(one("add r1, r2, r3"), 2u << 26 | 1u << 22 | 2u << 18 | 3u << 14);
  EXPECT_EQ(one("addi r1, r2, -1"), 7u << 26 | 1u << 22 | 2u << 18 | 0xffffu);
  EXPECT_EQ(one("csrw LMASK, r5"), 12u << 26 | 5u << 18 | 6u);
  EXPECT_EQ(one("snd WEST, r2"), 15u << 26 | 2u << 18 | 3u);
  EXPECT_EQ(one("beq r1, r2, 9"), 16u << 26 | 1u << 22 | 2u << 18 | 9u);
  EXPECT_EQ(one("vf.fma M[r3], M[r1], S[r2], R[r4]"),
            32u << 26 | 0u << 23 | 0u << 21 | 0u << 19 | 1u << 17 | 1u << 16 | 3u << 12 | 1u << 8 | 2u << 4 | 4u);
  EXPECT_EQ(one("vf.fma R[r3], M[r1], M[r2], R[r4]"),
            32u << 26 | 0u << 23 | 3u << 21 | 2u << 19 | 1u << 17 | 0u << 16 | 3u << 12 | 1u << 8 | 2u << 4 | 4u);
  EXPECT_EQ(one("vf.fma R[r3], M[r1], S[r2], M[r4]"),
            32u << 26 | 0u << 23 | 3u << 21 | 0u << 19 | 1u << 17 | 0u << 16 | 3u << 12 | 1u << 8 | 2u << 4 | 4u);
  EXPECT_EQ(one("vf.fma M[r3], M[r1], A, M[r4]"),
            32u << 26 | 0u << 23 | 3u << 21 | 3u << 19 | 1u << 17 | 1u << 16 | 3u << 12 | 1u << 8 | 0u << 4 | 4u);
  EXPECT_EQ(one("csrw STR, r5"), 12u << 26 | 5u << 18 | 7u);
  EXPECT_EQ(one("vdot R[r6], OH[r1], M[r7]"), 35u << 26 | 2u << 21 | 6u << 12 | 1u << 8 | 7u << 4);
  EXPECT_EQ(one("vdot R[r6], OH[r1], M[r7], r9"), 35u << 26 | 2u << 21 | 6u << 12 | 1u << 8 | 7u << 4 | 9u);
  EXPECT_EQ(one("vs.add in=RING, own=Q[r2], out=WEST, dst=M[r3]"),
            40u << 26 | 1u << 25 | 0u << 23 | 1u << 22 | 2u << 20 | 1u << 19 | 1u << 13 | 3u << 8 | 3u << 4 | 2u);
  EXPECT_EQ(one("vb src=M[r1], out=RING, dst=M[r2]"), 41u << 26 | 1u << 22 | 1u << 8 | 2u << 4 | 1u);
  EXPECT_EQ(one("vr in=WEST, out=WEST, src=R[r2]"), 42u << 26 | 3u << 13 | 3u << 8 | 2u);
}

TEST(Syntax, GatherPassesOnTheColorItSendsOnByDefault) {
  const isa::Instr same = isa::decode(one("vs.mov own=R[r2], out=WEST, gather"));
  EXPECT_TRUE(same.gather && same.out && !same.in);
  EXPECT_EQ(same.cin, 3);
  EXPECT_EQ(isa::decode(one("vs.mov own=R[r2], out=WEST, gather=RING")).cin, 1);
}

TEST(Syntax, PseudoInstructionsAreOrdinaryOnes) {
  EXPECT_EQ(one("jmp 7"), one("jal r0, 7"));
  EXPECT_EQ(one("mov r3, r4"), one("addi r3, r4, 0"));
  EXPECT_EQ(one("ret r5"), one("jr r5"));
}

TEST(Syntax, LabelsConstantsAndAliasesNameValues) {
  const Program program = assemble(
      "  ; a comment\n"
      ".equ N, 2 * (3 + GIVEN) - 1   // another\n"
      ".reg count, r4\n"
      "start: first:\n"
      "  li count, N\n"
      "loop:  dbnz count, loop\n"
      "\n"
      "  jmp end\n"
      "end: halt\n",
      "text", {{"GIVEN", 5}});
  EXPECT_EQ(program.words, (std::vector{one("li r4, 15"), one("dbnz r4, 1"), one("jal r0, 3"), one("halt")}));
  EXPECT_EQ(program.labels,
            (std::map<std::string, std::uint16_t>{{"start", 0}, {"first", 0}, {"loop", 1}, {"end", 3}}));
  EXPECT_EQ(program.files, (std::vector<std::string>{"text"}));
  EXPECT_EQ(program.lines, (std::vector<SourceLine>{{0, 5}, {0, 6}, {0, 8}, {0, 9}}));
}

TEST(Syntax, Bf16ConstantsAreRoundedToNearestEven) {
  EXPECT_EQ(one("li r1, bf16(0.5)"), one("li r1, 0x3f00"));
  EXPECT_EQ(one("li r1, bf16(-1)"), one("li r1, 0xbf80"));
  EXPECT_EQ(one("li r1, bf16(0)"), one("li r1, 0"));
  EXPECT_EQ(one("li r1, bf16(1.00390625)"), one("li r1, 0x3f80"));  // 1 + 2^-8: a tie, to even
  EXPECT_EQ(one("li r1, bf16(1.01171875)"), one("li r1, 0x3f82"));  // 1 + 3 * 2^-8: a tie, to even
  EXPECT_EQ(one("li r1, bf16(1e39)"), one("li r1, 0x7f80"));
  EXPECT_EQ(one("li r1, bf16(1e-39)"), one("li r1, 0"));
  EXPECT_EQ(one("li r1, bf16(-1e999)"), one("li r1, 0xff80"));  // beyond the range of a double
  EXPECT_EQ(one("li r1, bf16(1e-320)"), one("li r1, 0"));
  EXPECT_EQ(one("li r1, bf16(-inf)"), one("li r1, 0xff80"));
  EXPECT_EQ(one("li r1, bf16(nan)"), one("li r1, 0x7fc0"));
}

TEST(Syntax, EmptySourceIsAnEmptyProgram) {
  EXPECT_TRUE(assemble("", "text").words.empty());
  EXPECT_TRUE(assemble("\n; nothing\n", "text").words.empty());
}

}  // namespace
}  // namespace weft::assembler
