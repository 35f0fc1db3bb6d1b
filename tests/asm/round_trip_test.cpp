/// Words disassembled and assembled again, for random legal encodings of every opcode.
#include <gtest/gtest.h>

#include <random>

#include "isa_legal.hpp"
#include "sw/asm/assembler.hpp"
#include "sw/machine/message.hpp"

namespace weft::assembler {
namespace {

constexpr std::uint32_t kSeed = 1;

bool executes(std::uint32_t word) {
  return isa::verdict(word, isa::Thread::Main, 32) == isa::Verdict::Legal ||
         isa::verdict(word, isa::Thread::Psum, 32) == isa::Verdict::Legal;
}

/// Clears unused fields to the values that the assembler writes.
void clear_unused(isa::Instr& i) {
  if (i.op == isa::Opcode::Vf) {
    const bool c_in_memory = i.asel == isa::ASel::MM && i.bsel != isa::BSel::MS;
    if (c_in_memory) i.csel = isa::CSel::R;  // csel is ignored
    if (i.bsel == isa::BSel::A) i.rb = 0;
    if (i.csel == isa::CSel::Z || i.csel == isa::CSel::A) i.rc = 0;
  }
  if (i.op == isa::Opcode::Vs) {
    if (i.d == isa::VsD::N) i.rd = 0;
    if (!i.in && !i.gather) i.cin = 0;
  }
  if (i.op == isa::Opcode::Vb) {
    if (i.in) i.ra = 0;
    if (!i.in) i.cin = 0;
  }
  if ((i.op == isa::Opcode::Vs || i.op == isa::Opcode::Vb) && !i.out) i.cout = 0;
}

/// A random word of the instruction that a thread may execute.
std::uint32_t random_word(const isa::Info& info, std::mt19937& random) {
  for (;;) {
    std::uint32_t word = static_cast<std::uint32_t>(info.op) << 26;
    for (const isa::Field& field : info.fields)
      word |= static_cast<std::uint32_t>(random() % static_cast<unsigned>(field.values)) << field.lsb;
    if (!executes(word)) continue;
    isa::Instr i = isa::decode(word);
    i.target %= isa::kIDepth;
    clear_unused(i);
    return isa::encode(i);
  }
}

TEST(RoundTrip, EveryInstructionFormIsReadBackFromItsText) {
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

TEST(RoundTrip, AnyWordIsReadBackFromItsText) {
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
    EXPECT_EQ(i.known, isa::info(static_cast<isa::Opcode>(op)) != nullptr) << op;
    legal += i.known;
  }
  EXPECT_FALSE(isa::decode(0).known);
  EXPECT_EQ(legal, static_cast<int>(std::size(isa::kInstrs)));
  EXPECT_EQ(disassemble(0), ".word 0x00000000");
}

TEST(RoundTrip, IllegalInstructionIsAWord) {
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  int refused = 0;
  for (std::uint32_t op = 0; op < 64; ++op)
    for (int n = 0; n < 1000; ++n) {
      const std::uint32_t word = op << 26 | (static_cast<std::uint32_t>(random()) & 0x03ffffff);
      if (executes(word)) continue;
      ++refused;
      ASSERT_EQ(disassemble(word).substr(0, 5), ".word") << disassemble(word);
    }
  EXPECT_GT(refused, 30'000);
  // The machine executes these, but no text assembles to them.
  using isa::Opcode;
  EXPECT_EQ(disassemble(isa::encode({.op = Opcode::Jal, .target = isa::kIDepth})).substr(0, 5), ".word");
  EXPECT_EQ(disassemble(isa::encode({.op = Opcode::Fork, .target = 65535})).substr(0, 5), ".word");
  const isa::Instr c_in_memory{.op = Opcode::Vf, .asel = isa::ASel::MM, .csel = isa::CSel::Z};  // is encoded as R
  EXPECT_EQ(disassemble(isa::encode(c_in_memory)).substr(0, 5), ".word");
  const isa::Instr gather{.op = Opcode::Vs, .out = true, .gather = true, .cin = 1, .cout = 2};
  EXPECT_EQ(disassemble(isa::encode(gather)), "vs.add own=R[r0], out=NORTH, gather=RING");
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
  EXPECT_EQ(isa::kColorNames[static_cast<int>(machine::Color::Ring)], "RING");
  EXPECT_EQ(isa::kColorNames[static_cast<int>(machine::Color::West)], "WEST");
  EXPECT_EQ(isa::kCmdNames[static_cast<int>(machine::Command::CR)], "CR");
  EXPECT_EQ(isa::kCmdNames[static_cast<int>(machine::Command::Maddr)], "MADDR");
  EXPECT_EQ(isa::kCmdNames[static_cast<int>(machine::Command::Route)], "ROUTE");
}

}  // namespace
}  // namespace weft::assembler
