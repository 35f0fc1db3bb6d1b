/// Words between rows: their bits, and the times at which a vector takes and sends them. In lockstep and tile by tile.
#include "tests/model/contract.hpp"

namespace weft::model {
namespace {

TEST(Contract, NansThatAreMovedKeepTheirBits) {
  in_both({.rows = 2, .cols = 3, .sram_kib = 1}, [](Rig& rig) {
    // Row 0 sends pairs of bf16 that form NaNs as fp32; row 1 moves them to R, computes other NaNs, and sends all of
    // them.
    for (int col = 0; col < 3; ++col) {
      rig.store(0, col, 0, {1, 0x7f80, 2, 0xffff, 0, 0, 0, 0});
      rig.store(1, col, 0, {0xff81, 0xffc1, 0x7f81, 0xff80});  // all kinds of NaN as operands
    }
    rig.load(R"(
main:   li   r1, 1
        csrw VL, r1
        csrw REP, r1
        li   r2, 0
        li   r3, 6
        vf.fma R[r3], M[r0], S[r2], Z     ; computed before
        fork p
        join
        li   r3, 7
        vf.fma R[r3], M[r0], S[r2], Z     ; and after
        li   r3, 8
        li   r4, 6
        vf.max R[r3], M[r0], R[r4], Z
        fork q
        join
        halt
p:      csrr r1, ROW
        bne  r1, r0, take
        li   r1, 2
        csrw VL, r1
        vb   src=M[r0], out=RING, dst=M[r0]   ; what it stores in place is not what it sends
        halt
take:   li   r1, 1
        csrw VL, r1
        li   r1, 5
        vs.mov in=RING, dst=R[r1]
        halt
q:      li   r1, 4
        csrw VL, r1
        li   r1, 5
        vs.mov own=R[r1], out=WEST, gather
        halt)");
    rig.call("main").go();
    const auto& words = rig.wafer->outlet(1);
    ASSERT_EQ(words.size(), 3U * 4 * 4);
    for (std::size_t col = 0; col < 3; ++col) {
      const std::uint32_t* w = words.data() + col * 16;
      EXPECT_EQ(w[0], 0x7f800001U);
      EXPECT_EQ(w[1], 0xffff0002U);
      for (int k = 4; k < 16; ++k) EXPECT_EQ(w[k], 0x7fc00000U) << k;
    }
    EXPECT_EQ(rig.wafer->state(1, 1).accumulators[5 * 4], 0x7f800001U);
  });
}

TEST(Contract, AVectorContinuesWithWhatHasArrived) {
  // Row 1 answers two words at a time: row 0's vs must send before it has received all words.
  in_both({.rows = 2, .cols = 2, .sram_kib = 1}, [](Rig& rig) {
    for (int col = 0; col < 2; ++col) rig.store(0, col, 0, {0x3f80, 0x4000, 0x4040, 0x4080});
    rig.load(R"(
main:   li   r1, 1
        csrw VL, r1
        csrw REP, r1
        li   r2, 0x3f80
        vf.fma R[r0], M[r0], S[r2], Z
        fork p
        join
        halt
p:      li   r1, 1
        csrw VL, r1
        csrr r1, ROW
        bne  r1, r0, answer
        vs.add in=RING, own=R[r0], out=RING, dst=M[r0]
        halt
answer: li   r5, 2
again:  snd  RING, r0
        snd  RING, r0
        rcv  r2, RING
        rcv  r3, RING
        dbnz r5, again
        halt)");
    rig.call("main").go();
    EXPECT_EQ(rig.wafer->sram(0, 1)[3], 0x4080);
    EXPECT_EQ(rig.wafer->state(0, 0).beats, 1U + 2);
  });
}

}  // namespace
}  // namespace weft::model
