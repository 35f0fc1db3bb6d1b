/// Instructions that halt their thread, in lockstep and tile by tile.
#include "tests/illegal_words.hpp"
#include "tests/model/contract.hpp"

namespace weft::model {
namespace {

/// Runs `source` as main and expects these flags.
void expect_flags(const std::string& source, const std::string& flags) {
  SCOPED_TRACE(source);
  in_both(kShape, [&](Rig& rig) {
    rig.load("main:\n" + source + "\nhalt").call("main").go();
    EXPECT_EQ(rig.wafer->flags(), flags);
  });
}

std::string words(const isa::Instr& in) { return ".word " + std::to_string(isa::encode(in)) + "\n"; }

/// Runs the word as main or psum and expects the flag; the thread must not execute the next instruction.
void expect_halts(std::uint32_t word, isa::Thread thread, const std::string& flag) {
  const bool of_main = thread == isa::Thread::Main;
  SCOPED_TRACE((of_main ? "main " : "psum ") + assembler::disassemble(word));
  in_both(kShape, [&](Rig& rig) {
    const std::string bad = ".word " + std::to_string(word) + "\nli r1, 7\nhalt\n";
    rig.load(of_main ? "main:\n" + bad : "main: fork p\njoin\nhalt\np:\n" + bad).call("main").go();
    EXPECT_EQ(rig.wafer->flags(), rows(flag));
    const machine::TileState state = rig.wafer->state(1, 1);
    EXPECT_EQ((of_main ? state.main : state.psum).registers[1], 0);
  });
}

TEST(Contract, IllegalInstructionsHaltTheirThread) {
  for (const isa::Thread thread : {isa::Thread::Main, isa::Thread::Psum})
    for (const std::uint32_t word : test::bad_instructions(thread)) expect_halts(word, thread, "BAD_INSTR");
  // W takes precedence over a color that is not built.
  expect_halts(isa::encode({.op = isa::Opcode::Vr, .cin = 0, .cout = 9}), isa::Thread::Psum, "BAD_INSTR");
}

TEST(Contract, BusySequencerDefersTheCheck) {
  in_both(kShape, [](Rig& rig) {
    rig.load(
        "main: li r1, 1\ncsrw VL, r1\nfork p\nvaxs R[r0], M[r0]\n.word 0xfc000000\n"
        "p: li r1, 1\ncsrw VL, r1\nvs.mov in=NORTH\nsnd 9, r0");
    rig.call("main").feed();
    EXPECT_THROW(rig.wafer->settle(), WaferHang);
    const machine::TileState state = rig.wafer->state(1, 1);
    EXPECT_TRUE(state.main.runs && state.psum.runs);
    EXPECT_EQ(state.flags, 0);
  });
}

TEST(Contract, UnusedFieldsMayBeAnything) {
  expect_flags("li r1, 1\ncsrw VL, r1\nfork p\njoin\nhalt\np: li r1, 1\ncsrw VL, r1\n" +
                   words({.op = isa::Opcode::Vs, .cin = 31, .cout = 31}) +
                   words({.op = isa::Opcode::Vb, .cin = 31, .cout = 0}),
               "");
}

TEST(Contract, ColorsThatAreNotBuiltHaltPsum) {
  for (const std::uint32_t word : test::bad_colors(kShape.colors)) expect_halts(word, isa::Thread::Psum, "BAD_COLOR");
  Rig many({.rows = 2, .cols = 3, .sram_kib = 1, .colors = 32});  // built, but not routed
  many.load("main: fork p\njoin\nhalt\np: snd 31, r0\nhalt").call("main").go();
  EXPECT_EQ(many.wafer->flags(), rows("NO_ROUTE"));
}

TEST(Contract, MvpWhilePsumRuns) {
  expect_flags("fork p\nmvp r1, r1\nhalt\np: csrr r1, ROW\nbeq r1, r0, a\nsnd RING, r0\nhalt\na: rcv r1, RING",
               rows("BAD_INSTR"));
  expect_flags("fork p\njoin\nmvp r1, r1\nhalt\np: halt", "");
}

}  // namespace
}  // namespace weft::model
