/// A vector's beats: how many there are, and each one's address. In step and tile by tile.
#include "tests/model/contract.hpp"

namespace weft {
namespace {

TEST(Contract, VlCountsModulo256) {
  for (const auto& [written, beats] : std::vector<std::pair<int, int>>{{0, 256}, {256, 256}, {259, 3}, {255, 255}}) {
    SCOPED_TRACE(written);
    in_both(kShape, [&, written = written, beats = beats](Rig& rig) {
      rig.load("main: li r1, " + std::to_string(written) +
               "\ncsrw VL, r1\ncsrr r2, VL\nli r3, 1\ncsrw REP, r3\nli r4, 0x3f80\n"
               "vf.fma R[r0], S[r4], S[r4], Z\nhalt");
      rig.call("main").go();
      const TileState state = rig.wafer->state(1, 2);
      EXPECT_EQ(state.main.registers[2], written);
      EXPECT_EQ(state.beats, static_cast<unsigned>(beats));
      for (int entry = 0; entry < 256; ++entry)
        ASSERT_EQ(state.accumulators[static_cast<std::size_t>(entry * 4)], entry < beats ? 0x3f800000U : 0U) << entry;
    });
  }
}

TEST(Contract, EachBeatHasAnAddressOfItsOwn) {
  // Vectors of 4 beats that begin before the end, at the end, behind it, and before address 0.
  const struct {
    int address;
    std::vector<int> words;  // that its beats read; -1: zeros
    std::string flags;
  } cases[] = {
      {500, {500, 504, 508, -1}, "BAD_ADDRESS"}, {508, {508, -1, -1, -1}, "BAD_ADDRESS"},
      {512, {-1, -1, -1, -1}, "BAD_ADDRESS"},    {65532, {-1, 0, 4, 8}, "BAD_ADDRESS"},
      {6, {4, 8, 12, 16}, "MISALIGNED"},         {496, {496, 500, 504, 508}, ""},
  };
  std::vector<std::uint16_t> memory(512);
  for (int e = 0; e < 512; ++e) memory[static_cast<std::size_t>(e)] = static_cast<std::uint16_t>(0x4000 + e / 4);
  for (const auto& c : cases) {
    SCOPED_TRACE(c.address);
    in_both(kShape, [&](Rig& rig) {
      for (int row = 0; row < 2; ++row)
        for (int col = 0; col < 3; ++col) rig.store(row, col, 0, memory);
      rig.load("main: li r1, 4\ncsrw VL, r1\nli r1, 1\ncsrw REP, r1\nli r2, " + std::to_string(c.address) +
               "\nli r3, 0x3f80\nvf.fma R[r0], M[r2], S[r3], Z\nhalt\n"  // reads
               "put: li r4, 16\nvf.fma M[r2], S[r3], S[r3], Z\nhalt");
      rig.call("main").go();
      const std::string flags = c.flags.empty() ? "" : rows(c.flags);
      EXPECT_EQ(rig.wafer->flags(), flags);
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(rig.wafer->state(1, 2).accumulators[i * 4],
                  c.words[i] < 0 ? 0U : static_cast<unsigned>(0x4000 + c.words[i] / 4) << 16);
      rig.call("put").go();  // writes
      EXPECT_EQ(rig.wafer->flags(), flags);
      std::vector<std::uint16_t> expected = memory;
      for (const int word : c.words)
        for (int lane = 0; lane < 4 && word >= 0; ++lane) expected[static_cast<std::size_t>(word + lane)] = 0x3f80;
      EXPECT_EQ(rig.wafer->sram(1, 2), expected);
    });
  }
}

TEST(Contract, AddressesWrapBeatByBeat) {
  // Of a copy by two words over the end of addresses the third beat reads what the first has written.
  in_both({.rows = 1, .cols = 2, .sram_kib = 128}, [](Rig& rig) {
    for (int col = 0; col < 2; ++col)
      rig.store(0, col, 65532, {0x3f80, 0x3f80, 0x3f80, 0x3f80}).store(0, col, 0, {0x4000, 0x4000, 0x4000, 0x4000});
    rig.load(
        "main: li r1, 4\ncsrw VL, r1\nli r1, 1\ncsrw REP, r1\nli r2, 0xfffc\nli r3, 4\nli r4, 0x3f80\n"
        "vf.fma M[r3], M[r2], S[r4], Z\nhalt");
    rig.call("main").go();
    const auto memory = rig.wafer->sram(0, 1);
    const std::vector<std::uint16_t> words{memory[4], memory[8], memory[12], memory[16]};
    EXPECT_EQ(words, (std::vector<std::uint16_t>{0x3f80, 0x4000, 0x3f80, 0x4000}));
    EXPECT_EQ(rig.wafer->flags(), "");
  });
}

TEST(Contract, StreamsReadBehindTheEndAndWriteThere) {
  in_both(kShape, [](Rig& rig) {  // vaxs, vdot's x, accumulating vf, a memory scalar, vb, vs
    rig.load(R"(
main:   li   r1, 2
        csrw VL, r1
        csrw REP, r1
        li   r1, 508
        li   r2, 0x4000
        vaxs R[r0], M[r1]         ; x: 508 and a zero
        li   r3, 8
        vf.fma R[r3], M[r1], S[r2], R[r3]
        li   r4, 600
        li   r5, 16
        vf.fma R[r5], M[r0], MS[r4], Z
        mvp  r1, r1
        fork p
        join
        halt
p:      li   r2, 2
        csrw VL, r2
        li   r3, 32
        vb   src=M[r1], dst=R[r3]
        vs.mov own=R[r3], dst=M[r1]
        halt)");
    for (int col = 0; col < 3; ++col) rig.store(1, col, 508, {0x3f80, 0x3f80, 0x3f80, 0x3f80});
    rig.call("main").weight(0x8000, 0x4040).weight(0x8000, 0x3f80).cr().go();
    EXPECT_EQ(rig.wafer->flags(), rows("BAD_ADDRESS"));
    const auto r = rig.wafer->state(1, 1).accumulators;
    EXPECT_EQ(r[0], 0x40800000U);      // 1 * 3 + 1 * 1
    EXPECT_EQ(r[4], 0U);               // behind the end
    EXPECT_EQ(r[8 * 4], 0x40800000U);  // 2 + 2
    EXPECT_EQ(r[32 * 4], 0x3f800000U);
    EXPECT_EQ(r[33 * 4], 0U);
  });
}

}  // namespace
}  // namespace weft
