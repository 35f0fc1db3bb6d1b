// Power-up and reset: one cycle is enough, and memories may have any contents.
#include <gtest/gtest.h>

#include "tests/pe/psum_program.hpp"
#include "tests/pe/stream_case.hpp"

namespace weft::test {
namespace {

/// Fills memories with random contents, as after power-up.
void garbage(TileGrid& g, std::mt19937& rng, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      for (int t = 0; t < 2; ++t)
        for (int n = 0; n < 16; ++n) g.reg(t, n, r, c) = static_cast<std::uint16_t>(rng() | 1);
      for (int e = 0; e < 256; ++e)
        for (int l = 0; l < kLanes; ++l) g.acc(e, l, r, c) = static_cast<std::uint32_t>(rng());
      for (int i = 0; i < 512; ++i) g.poke(i, static_cast<std::uint16_t>(rng()), r, c);
    }
  }
}

TEST(Reset, RegisterZeroIsZeroWhateverItHeld) {
  TileGrid g;
  std::mt19937 rng(1);
  garbage(g, rng, 1, 1);
  g.reset(1);
  g.program(
      "add r3, r0, r0\n mvp r4, r0\n fork P\n join\n halt\nP: snd WEST, r0\n addi r5, r0, 5\n snd WEST, r5\n snd WEST, "
      "r4\n halt");
  g.call(0);
  g.settle();
  EXPECT_EQ(g.reg(0, 3), 0);
  EXPECT_EQ(g.outlet(), (Words{0, 5, 0}));
}

// Both threads, both directions of a row, the ring: everything that holds state is active at the reset.
TEST(Reset, OneCycleMakesATileLikeNew) {
  constexpr int kRows = 2, kCols = 3;
  const auto start = [](TileGrid& g) {
    g.program(csr("VL", 3) + csr("STA", 3 * kLanes) + csr("LMASK", 7) + R"(
      li r5, 16
      mvp r5, r5
      li r6, 6
      mvp r6, r6
      fork P
  L:  vaxs R[r0], M[r0]
      vcr  R[r5], R[r0]
      dbnz r6, L
      li r7, 3
      csrw REP, r7
      li r8, 400
      vf.exp M[r8], M[r0], S[r0], A
      halt
  P:  li r9, 3
      csrw VL, r9
      csrr r4, ROW
      beq r4, r0, S
  N:  vs.add in=RING, own=Q[r5], dst=R[r5]
      vs.mov own=R[r5], out=WEST, gather
      dbnz r6, N
      halt
  S:  vs.mov own=Q[r5], out=RING
      dbnz r6, S
      csrr r4, COL
      snd WEST, r4
      halt)");
    for (int r = 0; r < kRows; ++r) {
      for (int c = 0; c < kCols; ++c) {
        std::mt19937 rng(static_cast<unsigned>(10 * r + c));
        fill(g, rng, 256, r, c);
        for (int e = 0; e < 256; ++e)
          for (int l = 0; l < kLanes; ++l) g.acc(e, l, r, c) = 0;
      }
      g.call(0, r);
      std::mt19937 rng(static_cast<unsigned>(r));
      for (int n = 0; n < 6; ++n) {
        for (int k = 0; k < 4; ++k) g.weight(r, static_cast<std::uint16_t>(rng()), random_bf16(rng));
        g.cr(r);
      }
    }
  };
  struct Seen {
    std::uint64_t cycles;
    std::vector<Words> words;
    std::vector<std::uint64_t> beats;
    std::vector<int> flags;
  };
  const auto finish = [](TileGrid& g, std::uint64_t from) {
    g.settle();
    Seen seen{g.cycles() - from, {}, {}, {}};
    for (int r = 0; r < kRows; ++r) {
      seen.words.push_back(g.outlet(r));
      for (int c = 0; c < kCols; ++c) {
        seen.beats.push_back(g.tile(r, c).beats_o);
        seen.flags.push_back(g.flags(r, c));
      }
    }
    return seen;
  };
  TileGrid fresh(kRows, kCols);
  const auto from = fresh.cycles();
  start(fresh);
  const Seen expected = finish(fresh, from);
  ASSERT_FALSE(expected.words[1].empty());
  std::mt19937 rng(7);
  for (int n = 0; n < 40; ++n) {
    const unsigned at = rng() % expected.cycles;
    SCOPED_TRACE("reset in cycle " + std::to_string(at));
    TileGrid g(kRows, kCols);
    start(g);
    for (unsigned k = 0; k < at; ++k) g.step();
    garbage(g, rng, kRows, kCols);
    g.reset(1);
    const auto again = g.cycles();
    start(g);
    const Seen seen = finish(g, again);
    EXPECT_EQ(seen.cycles, expected.cycles);
    EXPECT_EQ(seen.words, expected.words);
    EXPECT_EQ(seen.beats, expected.beats);
    EXPECT_EQ(seen.flags, expected.flags);
  }
}

// A flag, also of the router, shows one cycle after its event: the tile does not fall asleep in between.
TEST(Reset, AFlagWakesTheTileThatItShowsIn) {
  for (std::uint64_t color : {5, 31}) {
    for (bool skip : {false, true}) {
      TileGrid g(1, 1, skip);
      g.settle();
      g.edge_sends(0, color << 32);
      g.settle();
      EXPECT_EQ(g.flags(), 1 << 1) << "color " << color;
    }
  }
  TileGrid g;
  g.settle();
  g.edge_sends(0, std::uint64_t{2} << 32);  // no route leads NORTH from the west
  g.settle();
  EXPECT_EQ(g.flags(), 1 << 0);
}

}  // namespace
}  // namespace weft::test
