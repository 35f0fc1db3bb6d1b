/// Conditions under which a tile takes commands, in lockstep and tile by tile.
#include <algorithm>

#include "tests/model/contract.hpp"

namespace weft::model {
namespace {

TEST(Contract, CommandsWaitUntilPsumRests) {
  in_both({.rows = 2, .cols = 1, .sram_kib = 1}, [](Rig& rig) {
    rig.load(R"(
main:   fork p
        halt
p:      csrr r1, ROW
        bne  r1, r0, other
        rcv  r2, RING       ; comes late
        ld   r3, r0, 0
        snd  WEST, r3
        halt
other:  halt
go:     fork q
        halt
q:      snd  RING, r0
        halt)");
    // Row 1 is asleep at first, so row 0's psum waits with main at rest: MDATA must wait as well.
    rig.select_row(0).call("main").command(machine::Command::Maddr, 0, 0).command(machine::Command::Mdata, 0, 5);
    rig.select_row(1).call("go").select().go();
    EXPECT_EQ(rig.wafer->outlet(0), std::vector<std::uint32_t>{0});
    EXPECT_EQ(rig.element(0, 0, 0), 5);
  });
}

TEST(Contract, CommandsWaitForPsumsLastVector) {
  in_both({.rows = 2, .cols = 1, .sram_kib = 1}, [](Rig& rig) {
    rig.load(R"(
main:   li   r1, 1
        csrw VL, r1
        mvp  r2, r1
        fork p
        halt
p:      csrw VL, r2
        vb   in=RING, dst=M[r0]
        vs.mov own=R[r0], dst=M[r0]   ; when psum has halted
        halt
go:     fork q
        halt
q:      snd  RING, r0
        snd  RING, r0
        halt)");
    rig.store(0, 0, 0, {7, 7, 7, 7});
    rig.select_row(0).call("main").command(machine::Command::Maddr, 0, 0).command(machine::Command::Mdata, 0, 5);
    rig.select_row(1).call("go").select().go();
    EXPECT_EQ(rig.element(0, 0, 0), 5);
    EXPECT_EQ(rig.element(0, 0, 1), 0);
  });
}

TEST(Contract, CommandsWaitForABegunStream) {
  in_both(kShape, [](Rig& rig) {  // the thread halted by BAD_INSTR; its vaxs still takes the weights
    rig.load("main: li r1, 1\ncsrw VL, r1\nvaxs R[r0], M[r0]\nmvp r2, r2\n.word 0").store(0, 1, 0, {0x3f80});
    rig.call("main").weight(0, 0x4000).weight(0, 0x3f80).cr().reg(3, 9).go();
    EXPECT_EQ(rig.wafer->flags(), rows("BAD_INSTR"));
    EXPECT_EQ(rig.wafer->state(0, 1).accumulators[0], 0x40400000U);  // 3.0
    EXPECT_EQ(rig.wafer->state(0, 1).main.registers[3], 9);
  });
}

TEST(Contract, CallEmptiesTheHandoffQueues) {
  in_both(kShape, [](Rig& rig) {
    rig.load("one: li r1, 1\ncsrw VL, r1\nvcr R[r1], R[r0]\nhalt");
    for (int n = 0; n < 3; ++n) rig.call("one");  // the queue has no room for all three
    rig.go();
    EXPECT_EQ(rig.wafer->state(1, 2).mp,
              (machine::HandoffState{.entries = {1 << 5}, .put_buffer = 1, .taken_buffer = 0, .filled = false}));
  });
}

TEST(Contract, CallClearsStrAlone) {
  in_both(kShape, [](Rig& rig) {
    rig.load(R"(
main:   li   r1, 0x1203
        csrw STR, r1
        csrw STB, r1
        csrr r2, STR
        halt
again:  csrr r3, STR
        csrr r4, STB
        li   r1, 1
        csrw VL, r1
        li   r1, 3
        csrw REP, r1
        li   r5, 0x3f80
        vf.fma R[r0], S[r5], S[r5], R[r0]   ; three times to the same entry
        halt)");
    rig.call("main").go();
    EXPECT_EQ(rig.wafer->state(1, 2).main.control[7], 0x1203);
    rig.call("again").go();
    const machine::TileState state = rig.wafer->state(1, 2);
    EXPECT_EQ(state.main.registers[2], 0x1203);
    EXPECT_EQ(state.main.registers[3], 0);
    EXPECT_EQ(state.main.registers[4], 0x1203);
    EXPECT_EQ(state.main.control[7], 0);
    EXPECT_EQ(state.accumulators[0], 0x40400000U);  // 3.0
    EXPECT_EQ(state.accumulators[3 * 4], 0U);
    EXPECT_EQ(rig.wafer->flags(), "");
  });
}

TEST(Contract, StrMovesEntriesModulo256) {
  in_both(kShape, [](Rig& rig) {
    // Bits above the low 8 do not count; d and c of the third repetition are at 250 + 2 * 5 - 256.
    rig.load(R"(
main:   li   r1, 2
        csrw VL, r1
        li   r1, 3
        csrw REP, r1
        li   r1, 0x4005
        csrw STR, r1
        li   r1, 8
        csrw STA, r1
        li   r2, 250
        li   r3, 0x3f80
        vf.fma R[r2], M[r0], S[r3], R[r2]
        vf.fma R[r2], M[r0], S[r3], R[r2]
        halt)");
    for (int row = 0; row < 2; ++row)
      for (int col = 0; col < 3; ++col) {
        std::vector<std::uint16_t> x;
        for (int e = 0; e < 24; ++e) x.push_back(static_cast<std::uint16_t>(0x3f80 + e / 4));
        rig.store(row, col, 0, x);
      }
    rig.call("main").go();
    const machine::TileState state = rig.wafer->state(1, 2);
    for (std::size_t entry = 0; entry < 256; ++entry) {
      const std::size_t places[] = {250, 251, 255, 0, 4, 5},
                        at = static_cast<std::size_t>(std::ranges::find(places, entry) - places);
      // Twice x increments the exponent.
      const std::uint32_t expected = at < 6 ? static_cast<std::uint32_t>(0x4000 + at) << 16 : 0;
      EXPECT_EQ(state.accumulators[entry * 4], expected) << entry;
    }
    EXPECT_EQ(state.beats, 2U * 3 * 2);
  });
}

}  // namespace
}  // namespace weft::model
