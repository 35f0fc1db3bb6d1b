/// Messages and instructions in words.
#include "verif/trace/words.hpp"

#include <gtest/gtest.h>

#include "sw/machine/message.hpp"

namespace weft::trace {
namespace {

constexpr unsigned kW = 0, kRing = 1, kNorth = 2, kWest = 3;

std::string command(machine::Command code, std::uint8_t arg, std::uint16_t value, const MessageNames& names = {}) {
  return message_words(kW, true, machine::Message::command(code, arg, value).data, names);
}

TEST(Words, AWeightNamesItsRowAndItsPlaceThere) {
  const MessageNames names{.rows = 4, .kernels = {}, .pairs = 0};
  EXPECT_EQ(message_words(kW, false, machine::Message::weight(3 << 14 | 17, 0x3d80).data, names),
            "W 17 -> row 3 0.0625");
  EXPECT_EQ(message_words(kW, false, machine::Message::weight(17, 0xbf80).data, {}), "W 17 -> row 0 -1");
}

TEST(Words, CommandsSayWhatTheyDo) {
  const MessageNames names{.rows = 1, .kernels = {{12, "gemm"}}, .pairs = 0};
  EXPECT_EQ(command(machine::Command::Call, 0, 12, names), "CMD call gemm");
  EXPECT_EQ(command(machine::Command::Call, 0, 13, names), "CMD call 13");
  EXPECT_EQ(command(machine::Command::Setreg, 3, 32), "CMD r3=32");
  EXPECT_EQ(command(machine::Command::CR, 0, 0), "CMD CR");
  EXPECT_EQ(message_words(kW, true, machine::Message::select({.row = 300}).data, {}), "CMD select row 300 col *");
  EXPECT_EQ(command(machine::Command::Route, 0, 1 << 11 | 0 << 8 | 0b10100), "CMD route RING N -> S RAMP");
  EXPECT_EQ(command(machine::Command::Mdata, 0, 0x3f80), "CMD MDATA 0x3f80");
  EXPECT_EQ(message_words(kW, true, 0xff000001, {}), "CMD ? 0xff000001");
}

TEST(Words, SumsAreFp32AndPairsWhereTheyAreSaidToBe) {
  EXPECT_EQ(message_words(kRing, false, 0x3fe00000, {}), "PSUM 1.75");
  EXPECT_EQ(message_words(kNorth, false, 0x40200000, {}), "SUM 2.5");
  EXPECT_EQ(message_words(kWest, false, 0x7fc00000, {}), "OUT nan");
  EXPECT_EQ(message_words(7, false, 0xff800000, {}), "7: -inf");
  const MessageNames names{.rows = 1, .kernels = {}, .pairs = 1 << kRing};
  EXPECT_EQ(message_words(kRing, false, 0x3f003f80, names), "PAIR 1 0.5");
}

TEST(Words, AnInstructionHasItsLabelAndItsLine) {
  const assembler::Program program =
      assembler::assemble(".kernel gemm x=r1\n  li r8, 3\nloop:\n  addi r8, r8, 1\n  halt\n", "sw/kernels/k.s");
  const InstructionNames names(program);
  EXPECT_EQ(names.at(0), "li r8, 3  gemm k.s:2");
  EXPECT_EQ(names.at(2), "halt  loop+1 k.s:5");
  EXPECT_EQ(names.at(7), "7");
}

TEST(Words, ColorsOfPairsAreThoseThatVbIsReachedWith) {
  const assembler::Program program = assembler::assemble(
      ".kernel sends\n  fork away\n  halt\n"
      ".routine away\n  vb src=M[r1], out=RING, dst=M[r2]\n  halt\n"
      ".kernel adds\n  fork there\n  halt\n"
      ".routine there\n  vs.mov own=R[r4], out=NORTH\n  halt\n",
      "k.s");
  EXPECT_EQ(pair_colors(program, program.kernel("sends")->address), 1u << kRing);
  EXPECT_EQ(pair_colors(program, program.kernel("adds")->address), 0u);
  EXPECT_EQ(pair_colors(program, 999), 0u);
}

}  // namespace
}  // namespace weft::trace
