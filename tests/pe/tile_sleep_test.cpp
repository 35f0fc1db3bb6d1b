// Sleeping tiles miss no input.
#include <gtest/gtest.h>

#include "tests/pe/stream_case.hpp"

namespace weft::test {
namespace {

TEST(Tile, SkippingSleepingTilesChangesNoCycle) {
  std::vector<std::uint64_t> cycles;
  std::vector<Words> words;
  for (bool skip : {false, true}) {
    std::mt19937 rng(5);
    TileGrid g(2, 2, skip);
    g.program(csr("VL", 4) + csr("STA", 4 * kLanes) + csr("LMASK", 0x7) + R"(
      li r5, 16
      li r6, 8
      mvp r5, r5
      mvp r6, r6
      fork P
  L:  vaxs R[r0], M[r0]
      vcr  R[r5], R[r0]
      dbnz r6, L
      halt
  P:  li r9, 4
      csrw VL, r9
      csrr r4, ROW
      beq r4, r0, S
  N:  vs.add in=RING, own=Q[r5], dst=R[r5]
      vs.mov own=R[r5], out=WEST, gather
      dbnz r6, N
      halt
  S:  vs.mov own=Q[r5], out=RING
      dbnz r6, S
      halt)");
    for (int r = 0; r < 2; ++r) {
      fill(g, rng, 256, r, 0);
      fill(g, rng, 256, r, 1);
      g.call(0, r);
    }
    for (int n = 0; n < 8; ++n) {
      for (int r = 0; r < 2; ++r) {
        for (int k = 0; k < 3; ++k) g.weight(r, static_cast<std::uint16_t>(rng()), random_bf16(rng));
        g.cr(r);
      }
      for (unsigned wait = rng() % 60; wait > 0; --wait) g.step();
    }
    g.hold_outlets(true);
    for (int n = 0; n < 300; ++n) g.step();
    g.hold_outlets(false);
    g.settle();
    cycles.push_back(g.cycles());
    words.push_back(g.outlet(1));
    EXPECT_EQ(g.skipped() > 0, skip);
    for (int r = 0; r < 2; ++r) {
      cycles.push_back(g.tile(r, 1).beats_o);
      EXPECT_EQ(g.flags(r), 0);
    }
  }
  EXPECT_EQ(std::vector(cycles.begin(), cycles.begin() + 3), std::vector(cycles.begin() + 3, cycles.end()));
  EXPECT_EQ(words[0], words[1]);
  EXPECT_FALSE(words[0].empty());
}

}  // namespace
}  // namespace weft::test
