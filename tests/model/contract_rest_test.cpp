/// When a tile takes commands, in step and tile by tile.
#include "tests/model/contract.hpp"

namespace weft {
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
    rig.select(0, 255).call("main").command(Command::Maddr, 0, 0).command(Command::Mdata, 0, 5);
    rig.select(1, 255).call("go").select(255, 255).go();
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
        vb   in=RING, dst=R[r0]
        vs.mov own=R[r0], dst=M[r0]   ; when psum has halted
        halt
go:     fork q
        halt
q:      snd  RING, r0
        snd  RING, r0
        halt)");
    rig.store(0, 0, 0, {7, 7, 7, 7});
    rig.select(0, 255).call("main").command(Command::Maddr, 0, 0).command(Command::Mdata, 0, 5);
    rig.select(1, 255).call("go").select(255, 255).go();
    EXPECT_EQ(rig.element(0, 0, 0), 5);
    EXPECT_EQ(rig.element(0, 0, 1), 0);
  });
}

TEST(Contract, CommandsWaitForABegunStream) {
  in_both(kShape, [](Rig& rig) {  // the thread has halted by BAD_INSTR, its vaxs takes what is no command then
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
    for (int n = 0; n < 3; ++n) rig.call("one");  // three would not find room
    rig.go();
    EXPECT_EQ(rig.wafer->state(1, 2).mp, (HandoffState{.entries = {1 << 5}, .put_parity = 1}));
  });
}

}  // namespace
}  // namespace weft
