// `vs`: streams of fp32, all forms; the gather; a blocked outlet.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/pe/stream_case.hpp"

namespace weft::test {
namespace {

TEST(Vs, EveryVariantOfInputOperationAndDestination) {
  constexpr int kVl = 3;
  std::mt19937 rng(11);
  for (const char* op : {"add", "max", "mov"}) {
    for (int in = 0; in < 2; ++in) {
      for (int own = 0; own < 2; ++own) {
        for (int out = 0; out < 2; ++out) {
          for (const char* d : {"", "dst=R[r2]", "dst=M[r3]"}) {
            const bool mov = op[1] == 'o';
            if (!own && (!in || !mov)) continue;
            std::string text = std::string("vs.") + op;
            if (in) text += " in=RING";
            if (own) text += (in ? ", own=R[r1]" : " own=R[r1]");
            if (out) text += ", out=WEST";
            if (*d) text += std::string(", ") + d;
            if (in && own && mov) continue;  // own is not read
            SCOPED_TRACE(text);
            TileGrid g;
            Words a, b;
            for (int i = 0; i < kVl; ++i) {
              for (int l = 0; l < kLanes; ++l) {
                g.acc(20 + i, l) = random_fp32(rng);
                g.acc(60 + i, l) = random_fp32(rng);
                a.push_back(g.acc(60 + i, l));
                b.push_back(g.acc(20 + i, l));
              }
            }
            // With one row, its RING returns to it: sent by a first vs, taken by the one under test.
            g.program(
                "li r1, 20\n mvp r1, r1\n li r1, 30\n mvp r2, r1\n li r1, 128\n mvp r3, r1\n li r1, 60\n mvp r4, r1\n"
                "fork P\n join\n halt\nP: " +
                csr("VL", kVl) + (in ? "vs.mov own=R[r4], out=RING\n" : "") + text + "\n halt");
            g.call(0);
            g.settle();
            Words v;
            for (int n = 0; n < kVl * kLanes; ++n) {
              v.push_back(!in            ? b[n]
                          : mov          ? a[n]
                          : op[0] == 'a' ? model::add_bits(a[n], b[n])
                                         : model::max_bits(a[n], b[n]));
            }
            EXPECT_EQ(g.outlet(), out ? v : Words{});
            for (int n = 0; n < kVl * kLanes; ++n) {
              EXPECT_EQ(g.acc(30 + n / kLanes, n % kLanes), d[0] && d[4] == 'R' ? v[n] : 0);
              EXPECT_EQ(g.mem(128 + n), d[0] && d[4] == 'M' ? to_bf16(v[n]) : 0);
            }
            EXPECT_EQ(g.flags(), 0);
          }
        }
      }
    }
  }
}

TEST(Vs, InPlaceAndBackToBack) {
  TileGrid g;
  g.program("fork P\n join\n halt\nP: " + csr("VL", 2) +
            "vs.mov own=R[r0], out=RING\n vs.add in=RING, own=R[r0], dst=R[r0], out=RING\n"
            "vs.add in=RING, own=R[r0], dst=R[r0]\n vs.mov own=R[r0], out=WEST\n halt");
  Words expected;
  for (int n = 0; n < 2 * kLanes; ++n) {
    g.acc(n / kLanes, n % kLanes) = as_bits(static_cast<float>(n + 1));
    expected.push_back(as_bits(4.0f * static_cast<float>(n + 1)));
  }
  g.call(0);
  g.settle();
  EXPECT_EQ(g.outlet(), expected);
}

// An entry's lower half was written long ago, its upper half has just been: only the upper half must be waited for.
TEST(Vs, ReadsAnEntryWhoseUpperHalfArrivedLate) {
  TileGrid g(2);
  g.program("li r7, " + std::to_string(kLanes / 2) + R"(
    mvp  r7, r7
    csrr r4, ROW
    mvp  r4, r4
    fork P
    join
    halt
P:  li   r1, 1
    csrw VL, r1
    bne  r4, r0, TAKE
    mov  r3, r7
L:  addi r2, r2, 1
    snd  RING, r2
    dbnz r3, L
    li   r6, 40
D:  dbnz r6, D
    mov  r3, r7
U:  addi r2, r2, 1
    snd  RING, r2
    dbnz r3, U
    halt
TAKE: vs.mov in=RING, dst=R[r0]
    vs.mov own=R[r0], out=WEST
    halt)");
  for (int l = 0; l < kLanes; ++l) g.acc(0, l, 1) = 77;
  for (int r = 0; r < 2; ++r) g.call(0, r);
  g.settle();
  Words expected(kLanes);
  std::iota(expected.begin(), expected.end(), 1);
  EXPECT_EQ(g.outlet(1), expected);
}

TEST(Vs, GatherBringsTheColumnsOneAfterAnother) {
  constexpr int kCols = 4, kVl = 3;
  TileGrid g(1, kCols);
  g.program("fork P\n halt\nP: " + csr("VL", kVl) + "vs.mov own=R[r0], out=WEST, gather\n snd WEST, r9\n halt");
  Words expected;
  for (int c = 0; c < kCols; ++c) {
    for (int n = 0; n < kVl * kLanes; ++n) {
      g.acc(n / kLanes, n % kLanes, 0, c) = static_cast<std::uint32_t>(c * 1000 + n);
      expected.push_back(static_cast<std::uint32_t>(c * 1000 + n));
    }
  }
  expected.push_back(kVl);
  g.call(0);
  g.settle();
  EXPECT_EQ(g.outlet(), expected);
}

TEST(Vs, AHeldOutletStopsItAndLosesNothing) {
  constexpr int kVl = 64;
  TileGrid g;
  g.program("fork P\n halt\nP: " + csr("VL", kVl) + "vs.mov own=R[r0], out=WEST\n halt");
  Words expected;
  for (int n = 0; n < kVl * kLanes; ++n) {
    g.acc(n / kLanes, n % kLanes) = static_cast<std::uint32_t>(n);
    expected.push_back(static_cast<std::uint32_t>(n));
  }
  g.hold_outlets(true);
  g.call(0);
  g.settle();
  EXPECT_LT(g.outlet().size(), expected.size());
  g.hold_outlets(false);
  g.settle();
  EXPECT_EQ(g.outlet(), expected);
}

}  // namespace
}  // namespace weft::test
