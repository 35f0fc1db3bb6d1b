// Both threads at once: random psum programs together with random vf, and the behaviour where a thread ends.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/pe/psum_program.hpp"

namespace weft::test {
namespace {

TEST(Threads, RandomProgramsOfBothRunAsIfEachWereAlone) {
  constexpr int kElements = 2304;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    Machine s;
    s.randomize(rng, kElements);
    TileGrid g;
    put(g, s, kElements);
    std::string text = li(1, 128) + "mvp r1, r1\n" + li(1, 129) + "mvp r2, r1\n" + li(1, 130) + "mvp r3, r1\n" +
                       li(1, PsumProgram::kDy) + "mvp r10, r1\n" + li(1, 133) + "mvp r4, r1\n" + li(1, 2048) +
                       "mvp r5, r1\n" + li(1, 2048 + kLanes) + "mvp r6, r1\n" + li(1, 2048 + 2 * kLanes) +
                       "mvp r7, r1\n" + li(1, 2048 + 5 * kLanes) + "mvp r8, r1\n";
    PsumProgram psum(rng, s);
    const std::string psum_text = psum.run(20);
    Vf v{.fn = "fma", .a = "M", .b = "S", .c = "R", .d = "R"};
    v.vl = 1 + rng() % 8, v.rep = 2, v.sta = kLanes, v.ra = 64, v.rc = 3, v.rd = 5;
    text += li(9, v.vl) + "csrw VL, r9\n" + li(9, 2) + "csrw REP, r9\n" + li(9, kLanes) + "csrw STA, r9\n" +
            li(1, v.ra) + li(2, v.rb = random_bf16(rng)) + li(3, v.rc) + li(4, v.rd) + "fork P\n";
    for (int n = 0; n < 12; ++n) {
      text += v.text("r4", "r1", "r2", "r3");
      v.run(s);
    }
    g.program(text + "join\nhalt\nP: " + psum_text);
    g.call(0);
    g.settle();
    ASSERT_EQ(g.outlet(), psum.outlet) << psum_text;
    ASSERT_NO_FATAL_FAILURE(expect_same(g, s, kElements, psum_text));
    ASSERT_EQ(g.flags(), 0);
  }
}

TEST(Threads, TwoCarriageReturnsInARowUseBothBuffers) {
  TileGrid g;
  g.program(
      "li r1, 2\n csrw VL, r1\n mvp r9, r1\n li r2, 10\n li r3, 20\n li r4, 40\n mvp r4, r4\n fork P\n"
      "vcr R[r4], R[r2]\n vcr R[r4], R[r3]\n join\n halt\n"
      "P: csrw VL, r9\n li r1, 60\nD: dbnz r1, D\n vs.mov own=Q[r4], out=WEST\n vs.mov own=Q[r4], out=WEST\n halt");
  std::vector<std::uint32_t> expected;
  for (int base : {10, 20}) {
    for (int n = 0; n < 2 * kLanes; ++n) {
      g.acc(base + n / kLanes, n % kLanes) = static_cast<std::uint32_t>(base * 100 + n);
      expected.push_back(static_cast<std::uint32_t>(base * 100 + n));
    }
  }
  g.call(0);
  g.settle();
  EXPECT_EQ(g.outlet(), expected);
  for (int n = 0; n < 2 * kLanes; ++n)
    EXPECT_EQ(g.acc(10 + n / kLanes, n % kLanes) | g.acc(20 + n / kLanes, n % kLanes), 0u);
}

// Commands follow at once: a program's writes must not come after those of the commands.
TEST(Threads, AProgramThatEndedHasWrittenEverything) {
  for (const char* program : {"li r1, 1\n csrw VL, r1\n csrw REP, r1\n vf.fma M[r0], S[r2], S[r2], Z\n halt",
                              "li r1, 1\n csrw VL, r1\n csrw REP, r1\n vf.exp M[r0], S[r2], S[r2], Z\n halt",
                              "fork P\n join\n halt\nP: li r1, 1\n csrw VL, r1\n vs.mov own=R[r0], dst=M[r0]\n halt"}) {
    TileGrid g;
    for (int l = 0; l < kLanes; ++l) g.acc(0, l) = 0x3f800000;
    g.program(program);
    g.set_reg(2, 0x3f80);
    g.call(0);
    g.write(0, {1, 2, 3, 4});
    g.settle();
    for (int l = 0; l < 4; ++l) EXPECT_EQ(g.mem(l), l + 1) << program;
  }
}

// One word at a time, far apart: the tile sleeps in between, and wakes for each.
TEST(Threads, SlowStreamsCostTheSameCyclesAsleepOrNot) {
  std::vector<std::uint64_t> seen;
  for (bool skip : {false, true}) {
    TileGrid g(2, 1, skip);
    g.program(std::string(R"(
      csrr r4, ROW
      mvp  r4, r4
      fork P
      halt
    P: li  r1, 1
      csrw VL, r1
      bne  r4, r0, TAKE
      li   r3, )") +
              std::to_string(kLanes) + R"(
    N: li  r2, 25
    D: dbnz r2, D
      snd  RING, r3
      dbnz r3, N
      halt
    TAKE: vs.mov in=RING, out=WEST
      halt)");
    for (int r = 0; r < 2; ++r) g.call(0, r);
    while (g.outlet(1).size() < kLanes && g.cycles() < 5000) {
      const auto before = g.outlet(1).size();
      g.step();
      if (g.outlet(1).size() != before) seen.push_back(g.cycles());
      seen.push_back(g.tile(1).beats_o);
      seen.push_back(g.tile(1).rootp->weft_tile__DOT__i_pe__DOT__i_psum_seq__DOT__i_words__DOT__held_q);
    }
    g.settle();
    std::vector<std::uint32_t> expected(kLanes);
    std::iota(expected.rbegin(), expected.rend(), 1);
    EXPECT_EQ(g.outlet(1), expected);
  }
  EXPECT_EQ(std::vector(seen.begin(), seen.begin() + seen.size() / 2),
            std::vector(seen.begin() + seen.size() / 2, seen.end()));
}

}  // namespace
}  // namespace weft::test
