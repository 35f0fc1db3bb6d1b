/// Words disassembled and assembled again, for random legal encodings of every opcode.
#include <gtest/gtest.h>

#include <random>

#include "isa.hpp"
#include "sw/asm/assembler.hpp"
#include "sw/machine/message.hpp"

namespace weft {
namespace {

constexpr std::uint32_t kSeed = 1;

/// Changes fields that the machine rejects (docs/pe.md, Edge cases) to legal values.
void make_legal(isa::Instr& i) {
  if (i.target >= isa::kIDepth) i.target %= isa::kIDepth;
  if (isa::kCsrNames[static_cast<int>(i.csr)].empty() || (i.op == isa::Op::Csrw && i.csr >= isa::Csr::Row))
    i.csr = isa::Csr::Idx;
  for (std::uint8_t* color : {&i.color, &i.cin, &i.cout})
    if (*color == 0) *color = 31;
}

/// Clears unused fields to the values that the assembler writes.
void clear_unused(isa::Instr& i) {
  if (i.op == isa::Op::Vf) {
    const bool two = i.asel == isa::ASel::MM;
    if (two && i.bsel == isa::BSel::R) i.bsel = isa::BSel::S;
    if (two && i.bsel != isa::BSel::MS) i.csel = isa::CSel::R;  // the operand is in memory, whatever csel is
    if (i.bsel == isa::BSel::A) i.rb = 0;
    if (i.asel == isa::ASel::MM && i.bsel == isa::BSel::R) i.bsel = isa::BSel::MS;
    const bool c_in_memory = i.asel == isa::ASel::MM && i.bsel != isa::BSel::MS;
    if (c_in_memory) i.csel = isa::CSel::R;  // csel is ignored
    if (i.csel == isa::CSel::Z || i.csel == isa::CSel::A) i.rc = 0;
  }
  if ((i.op == isa::Op::Vaxs || i.op == isa::Op::Vdot) && (i.asel == isa::ASel::S || i.asel == isa::ASel::MM))
    i.asel = isa::ASel::OH;
  if (!i.turn) i.put = false;
  if (i.op == isa::Op::Vs) {
    if (i.gather) {
      i.in = false;
      i.out = true;
      i.d = isa::VsD::N;
    }
    if (i.d == isa::VsD::N) i.rd = 0;
    if (!i.in && !i.gather) i.cin = 0;
  }
  if (i.op == isa::Op::Vb) {
    if (i.in) i.ra = 0;
    if (!i.in) i.cin = 0;
  }
  if ((i.op == isa::Op::Vs || i.op == isa::Op::Vb) && !i.out) i.cout = 0;
}

std::uint32_t random_word(const isa::Info& info, std::mt19937& random) {
  std::uint32_t word = static_cast<std::uint32_t>(info.op) << 26;
  for (const isa::Field& field : info.fields)
    word |= static_cast<std::uint32_t>(random() % static_cast<unsigned>(field.values)) << field.lsb;
  isa::Instr i = isa::decode(word);
  make_legal(i);
  clear_unused(i);
  return isa::encode(i);
}

TEST(RoundTrip, EveryInstructionFormComesBackFromItsText) {
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  for (const isa::Info& info : isa::kInstrs) {
    for (int n = 0; n < 2000; ++n) {
      const std::uint32_t word = random_word(info, random);
      const std::string text = disassemble(word);
      ASSERT_EQ(text.substr(0, info.name.size()), info.name) << std::hex << word;
      const Program program = assemble(text, "text");
      ASSERT_EQ(program.words, std::vector<std::uint32_t>{word}) << text;
      ASSERT_EQ(disassemble(program.words[0]), text);
    }
  }
}

TEST(RoundTrip, AnyWordComesBackFromItsText) {
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  for (int n = 0; n < 100000; ++n) {
    const auto word = static_cast<std::uint32_t>(random());
    ASSERT_EQ(assemble(disassemble(word), "text").words, std::vector<std::uint32_t>{word}) << disassemble(word);
  }
}

TEST(RoundTrip, OpcodeZeroAndTheGapsAreIllegal) {
  int legal = 0;
  for (std::uint32_t op = 0; op < 64; ++op) {
    const isa::Instr i = isa::decode(op << 26);
    EXPECT_EQ(i.known, isa::info(static_cast<isa::Op>(op)) != nullptr) << op;
    legal += i.known;
  }
  EXPECT_FALSE(isa::decode(0).known);
  EXPECT_EQ(legal, static_cast<int>(std::size(isa::kInstrs)));
  EXPECT_EQ(disassemble(0), ".word 0x00000000");
}

/// Words that the machine rejects and that no instruction assembles to.
TEST(RoundTrip, WhatTheMachineRefusesIsAWord) {
  using isa::Op;
  const auto made = [](Op op, auto&& change) {
    isa::Instr i;
    i.op = op;
    i.color = i.cin = i.cout = 1;
    change(i);
    return isa::encode(i);
  };
  const auto vs = [&](bool in, bool out, isa::VsD d, bool gather, int cin, int cout) {
    return made(Op::Vs, [&](isa::Instr& i) {
      i.in = in, i.out = out, i.d = d, i.gather = gather;
      i.cin = static_cast<std::uint8_t>(cin), i.cout = static_cast<std::uint8_t>(cout);
    });
  };
  using isa::VsD;
  const std::uint32_t words[] = {
      made(Op::Csrr, [](auto& i) { i.csr = static_cast<isa::Csr>(13); }),
      made(Op::Csrr, [](auto& i) { i.csr = static_cast<isa::Csr>(15); }),
      made(Op::Csrw, [](auto& i) { i.csr = isa::Csr::Row; }),
      made(Op::Csrw, [](auto& i) { i.csr = isa::Csr::Cols; }),
      made(Op::Jal, [](auto& i) { i.target = isa::kIDepth; }),
      made(Op::Fork, [](auto& i) { i.target = 65535; }),
      made(Op::Rcv, [](auto& i) { i.color = 0; }),
      made(Op::Snd, [](auto& i) { i.color = 0; }),
      made(Op::Vf, [](auto& i) { i.asel = isa::ASel::MM, i.bsel = isa::BSel::R; }),
      made(Op::Vf, [](auto& i) { i.asel = isa::ASel::MM, i.csel = isa::CSel::Z; }),  // c is in memory, encoded as R
      made(Op::Vaxs, [](auto& i) { i.asel = isa::ASel::S; }),
      made(Op::Vaxs, [](auto& i) { i.asel = isa::ASel::MM; }),
      made(Op::Vdot, [](auto& i) { i.asel = isa::ASel::S; }),
      made(Op::Vdot, [](auto& i) { i.asel = isa::ASel::MM; }),
      made(Op::Vr, [](auto& i) { i.cin = 0; }),
      made(Op::Vr, [](auto& i) { i.cout = 0; }),
      made(Op::Vb, [](auto& i) { i.in = true, i.cin = 0, i.cout = 0; }),
      made(Op::Vb, [](auto& i) { i.out = true, i.cin = 0, i.cout = 0; }),
      made(Op::Vs, [](auto& i) { i.vsop = static_cast<isa::VsOp>(3), i.out = true, i.cin = 0; }),
      vs(true, false, VsD::R, false, 0, 0),
      vs(false, true, VsD::N, false, 0, 0),
      vs(false, true, VsD::N, true, 0, 1),   // gathers from W
      vs(true, true, VsD::N, true, 1, 1),    // gathers, and receives
      vs(false, false, VsD::N, true, 1, 0),  // gathers, and does not send
      vs(false, true, VsD::M, true, 1, 1),   // gathers, and stores
  };
  for (const std::uint32_t word : words) EXPECT_EQ(disassemble(word).substr(0, 5), ".word") << disassemble(word);
  EXPECT_EQ(disassemble(vs(false, true, VsD::N, true, 1, 2)), "vs.add own=R[r0], out=NORTH, gather=RING");
}

TEST(RoundTrip, DecodeAndEncodeAreInverse) {
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  for (const isa::Info& info : isa::kInstrs) {
    for (int n = 0; n < 1000; ++n) {
      const isa::Instr i = isa::decode(random_word(info, random));
      ASSERT_EQ(isa::decode(isa::encode(i)), i) << info.name;
    }
  }
}

TEST(RoundTrip, ColorAndCommandNamesFollowTheMessageHeader) {
  EXPECT_EQ(isa::kColorNames[static_cast<int>(Color::Ring)], "RING");
  EXPECT_EQ(isa::kColorNames[static_cast<int>(Color::West)], "WEST");
  EXPECT_EQ(isa::kCmdNames[static_cast<int>(Command::CR)], "CR");
  EXPECT_EQ(isa::kCmdNames[static_cast<int>(Command::Maddr)], "MADDR");
  EXPECT_EQ(isa::kCmdNames[static_cast<int>(Command::Route)], "ROUTE");
}

}  // namespace
}  // namespace weft
