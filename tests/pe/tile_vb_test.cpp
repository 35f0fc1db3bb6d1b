// `vb`: a vector broadcast around the ring.
#include <gtest/gtest.h>

#include "tests/pe/stream_case.hpp"

namespace weft::test {
namespace {

TEST(Vb, BroadcastsStoresAndForwards) {
  constexpr int kRows = 3, kVl = 5;
  std::mt19937 rng(13);
  TileGrid g(kRows);
  g.program(R"(
    csrr r4, ROW
    mvp  r4, r4
    li   r1, 64
    mvp  r1, r1
    li   r2, 640
    mvp  r2, r2
    fork P
    join
    halt
P:  )" + csr("VL", kVl) +
            R"(
    li   r5, 1
    beq  r4, r5, HOME    ; row 1 sends, row 2 forwards, row 0 ends
    beq  r4, r0, LAST
    vb   in=RING, out=RING, dst=M[r2]
    vb   in=RING, out=RING, dst=M[r2]
    halt
LAST: vb in=RING, dst=M[r2]
    vb   in=RING, dst=M[r2]
    halt
HOME: vb src=M[r1], out=RING, dst=M[r2]
    addi r1, r1, 160
    vb   src=M[r1], out=RING, dst=M[r2]
    snd  WEST, r5
    halt)");
  fill(g, rng, 512, 1);
  for (int r = 0; r < kRows; ++r) g.call(0, r);
  g.settle();
  for (int r = 0; r < kRows; ++r) {
    for (int k = 0; k < 2; ++k) {
      for (int n = 0; n < kLanes * kVl; ++n) {
        ASSERT_EQ(g.mem(640 + k * kVl * kLanes + n, r), to_bf16(widen(g.mem(64 + 160 * k + n, 1)))) << "row " << r;
      }
    }
    EXPECT_EQ(g.flags(r), 0);
  }
  EXPECT_EQ(g.outlet(1), Words{1});
}

TEST(Vb, RawWordsDoNotOvertakeResultsSentBefore) {
  TileGrid g;
  g.program(
      "fork P\n join\n halt\nP: li r1, 1\n csrw VL, r1\n snd WEST, r1\n vs.mov own=R[r0], out=WEST\n"
      "vb src=M[r0], out=WEST, dst=M[r2]\n vs.mov own=R[r0], out=WEST\n halt");
  Words expected{1};
  for (int l = 0; l < kLanes; ++l) {
    g.acc(0, l) = 100 + l;
    g.poke(l, static_cast<std::uint16_t>(l + 1));
    expected.push_back(100 + l);
  }
  for (std::uint32_t l = 1; l < kLanes; l += 2) expected.push_back((l + 1) << 16 | l);
  g.call(0);
  g.settle();
  for (int l = 0; l < kLanes; ++l) expected.push_back(100 + l);
  EXPECT_EQ(g.outlet(), expected);
  for (int l = 0; l < kLanes; ++l) EXPECT_EQ(g.mem(l), 0);  // subnormals, flushed
}

}  // namespace
}  // namespace weft::test
