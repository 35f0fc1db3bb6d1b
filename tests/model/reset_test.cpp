/// A wafer can be reset and loaded again in any state, and reports if it cannot quiesce.
#include "tests/model/tiles.hpp"

namespace weft::model::reset_test {
namespace {

constexpr machine::WaferShape kShape{.rows = 2, .cols = 3, .sram_kib = 1};

/// Loads the wafer as if it were new, and checks that it works.
void expect_sound(Rig& rig) {
  for (int row = 0; row < kShape.rows; ++row) EXPECT_TRUE(rig.wafer->outlet(row).empty());
  rig.pending = compiler::route_messages(kShape);
  rig.load("main: fork p\njoin\nhalt\np: csrr r1, ROW\nsnd RING, r1\nrcv r2, RING\nrcv r3, WEST\nsnd WEST, r0\nhalt");
  rig.call("main").go();
  for (int row = 0; row < kShape.rows; ++row) {
    EXPECT_EQ(rig.wafer->state(row, 2).psum.registers[2], 1 - row);
    EXPECT_EQ(rig.wafer->outlet(row), std::vector<std::uint32_t>{0});
  }
  EXPECT_EQ(rig.wafer->flags(), "");
  EXPECT_EQ(rig.wafer->counters().beats, 2U * 6);
  rig.wafer->await(std::vector<std::uint64_t>{1, 1});
}

TEST(Settle, SaysWhoDoesNotRest) {
  Rig rig(kShape);
  rig.load("main: fork p\nli r1, 1\ncsrw VL, r1\nvaxs R[r0], M[r0]\njoin\nhalt\np: rcv r1, RING\nhalt").call("main");
  const std::string text = failure(rig);
  const std::string waits =
      "main at pc 4 `join` waits for psum to be idle and done, its sequencer at pc 3 `vaxs R[r0], M[r0]` waits for a "
      "weight or CR on W; psum at pc 6 `rcv r1, RING` waits for a word of its color";
  for (const int row : {0, 1})
    EXPECT_NE(text.find("row " + std::to_string(row) + ": delivered 0; " + waits), std::string::npos) << text;
  const std::vector<std::uint64_t> totals{0, 2};
  try {
    rig.wafer->await(totals);
    FAIL();
  } catch (const WaferHang& hang) {
    EXPECT_NE(std::string(hang.what()).find("row 1: delivered 0 of 2; " + waits), std::string::npos) << hang.what();
  }
  rig.wafer->await(std::vector<std::uint64_t>{0, 0});  // nothing to wait for
}

TEST(Settle, NamesTheTilesThatDoNotRest) {
  Rig rig(kShape);
  rig.load("main: fork p\nhalt\np: rcv r1, RING\nhalt").select(1, 2).call("main");
  const std::string text = failure(rig);
  EXPECT_NE(text.find("row 1 column 2: main rests; psum at pc 2 `rcv r1, RING` waits"), std::string::npos) << text;
  EXPECT_EQ(text.find("column 1"), std::string::npos) << text;
}

TEST(Settle, AHaltedThreadWhoseSequencerWaitsDoesNotRest) {
  Rig rig(kShape);
  rig.load("main: li r1, 1\ncsrw VL, r1\nvaxs R[r0], M[r0]\nhalt").call("main");
  EXPECT_NE(failure(rig).find("main has halted, its sequencer at pc 2 `vaxs R[r0], M[r0]` waits"), std::string::npos);
  EXPECT_EQ(failure(rig.cr()), "nothing");
}

TEST(Settle, ContinuesAfterItThrew) {
  Rig rig(kShape);
  rig.load("main: li r1, 1\ncsrw VL, r1\nvaxs R[r0], M[r0]\nhalt").call("main");
  EXPECT_NE(failure(rig), "nothing");
  rig.cr().reg(5, 3).go();
  EXPECT_EQ(rig.wafer->state(1, 1).main.registers[5], 3);
}

TEST(Reset, KeepsMemoryAccumulatorsAndRegistersOnly) {
  for (const bool apart : {false, true}) {
    SCOPED_TRACE(apart);
    Rig rig(kShape);
    if (apart) model(*rig.wafer).leave_lockstep();
    rig.store(1, 1, 0, {0x3f80, 0x4000, 0x4040, 0x4080});
    rig.load(R"(
main:   li   r1, 1
        csrw VL, r1
        csrw REP, r1
        csrw STA, r1
        csrw LMASK, r1
        li   r2, 0x3f80
        vf.fma R[r0], M[r0], S[r2], Z
        vcr  R[r1], R[r0]
        li   r3, 3
        vf.fma R[r3], M[r3], S[r2], Z       ; MISALIGNED
        mvp  r4, r2
        fork p
        vaxs R[r0], M[r0]                   ; never ends
        halt
p:      csrw VL, r4
        vb   src=M[r0], out=RING, dst=M[r0] ; and words that nobody takes
        snd  RING, r4
        vs.mov in=NORTH
        rcv  r1, NORTH)");
    rig.select_row(1).command(machine::Command::Maddr, 0, 40).select();
    rig.call("main");
    EXPECT_NE(failure(rig), "nothing");
    const machine::TileState before = rig.wafer->state(1, 1);
    EXPECT_TRUE(before.psum.runs && before.main.control[0] && before.flags && before.mp.put_buffer && before.beats);

    rig.wafer->reset();
    machine::TileState expected;
    expected.memory = before.memory;
    expected.accumulators = before.accumulators;
    expected.instructions = before.instructions;
    expected.main.registers = before.main.registers;
    expected.psum.registers = before.psum.registers;
    expected.instruction_address = before.instruction_address;
    expected.low_half = before.low_half;
    expected.memory_address = 40;
    for (auto& port : expected.routes) port.resize(isa::kWaferColors);
    expected.routes[static_cast<std::size_t>(isa::Port::W)][0] = 1 << 1 | 1 << 4;
    EXPECT_EQ(machine::difference(rig.wafer->state(1, 1), expected), "");
    EXPECT_EQ(rig.wafer->state(1, 2).routes[static_cast<std::size_t>(isa::Port::W)][0], 1 << 4);
    EXPECT_TRUE(model(*rig.wafer).in_lockstep());
    EXPECT_EQ(rig.wafer->counters().edge_messages, 0U);
    rig.wafer->settle();
    expect_sound(rig);
  }
}

TEST(Reset, AfterAnything) {
  const struct {
    std::string program;
    int threads;
  } cases[] = {
      {"main: jmp main", 3},                                        // an error of the program
      {"main: csrr r1, COL\njmp main", 3},                          // an error in tile-by-tile mode
      {"main: fork p\nhalt\np: snd RING, r0\njmp p", 1},            // memory fills with words
      {"main: fork p\nhalt\np: rcv r1, NORTH", 2},                  // a deadlock
      {"main: li r1, 1\ncsrw VL, r1\nvaxs R[r0], M[r0]\nhalt", 2},  // in the middle of a stream
      {"main: fork p\nhalt\np: snd 7, r0", 1},                      // a flag
  };
  for (const auto& [program, threads] : cases) {
    SCOPED_TRACE(program);
    Rig rig(kShape, threads);
    rig.load(program).call("main");
    const std::string what = failure(rig);
    EXPECT_TRUE(what != "nothing" || !rig.wafer->flags().empty());
    rig.wafer->reset();
    expect_sound(rig);
  }
}

TEST(Reset, AfterColumnsOfTwoThreadsDiffered) {
  Rig rig(kShape, 3);
  rig.store(0, 2, 0, {5}).load("main: ld r1, r0, 0\nhalt").call("main");
  EXPECT_NE(failure(rig), "nothing");
  rig.wafer->reset();
  expect_sound(rig);
}

TEST(Reset, SelectsAll) {
  Rig rig(kShape);
  rig.select_row(0).go();
  rig.wafer->reset();
  rig.reg(5, 1).go();
  EXPECT_EQ(rig.wafer->state(1, 1).main.registers[5], 1);
}

TEST(Reset, ReturnsToLockstepIfTilesAreAlike) {
  Rig rig(kShape);
  rig.select(0, 1).reg(3, 7).select().weight(0xffff, 0).go();
  EXPECT_FALSE(model(*rig.wafer).in_lockstep());
  rig.wafer->reset();
  EXPECT_FALSE(model(*rig.wafer).in_lockstep());  // r3 differs
  EXPECT_EQ(rig.wafer->state(0, 1).main.registers[3], 7);
  EXPECT_EQ(rig.wafer->counters().edge_messages, 0U);
  expect_sound(rig);

  // Pending words are discarded as well.
  rig.load("main: fork p\nhalt\np: li r1, 77\nsnd RING, r1\nhalt").call("main").go();
  rig.wafer->reset();
  EXPECT_FALSE(model(*rig.wafer).in_lockstep());
  expect_sound(rig);

  rig.reg(3, 0).go();
  rig.wafer->reset();
  EXPECT_TRUE(model(*rig.wafer).in_lockstep());
  expect_sound(rig);

  rig.select(1, 2)
      .load("main: halt")
      .select()
      .command(machine::Command::Iaddr, 0, 0)
      .command(machine::Command::Ilo, 0, 0)
      .go();
  rig.wafer->reset();
  EXPECT_FALSE(model(*rig.wafer).in_lockstep());  // programs differ
  expect_sound(rig);
}

}  // namespace
}  // namespace weft::model::reset_test
