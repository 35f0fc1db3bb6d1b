// `vdot` and `vr`: the gradients of the indices that a stream names.
#include <gtest/gtest.h>

#include "tests/pe/stream_case.hpp"

namespace weft::test {
namespace {

void gradient_case(int cols, int vl, const std::vector<int>& counts, bool one_hot, int group, int buffers) {
  std::mt19937 rng(cols * 1000 + vl);
  SCOPED_TRACE("cols " + std::to_string(cols) + ", vl " + std::to_string(vl) + (one_hot ? ", one-hot" : "") +
               ", groups of " + std::to_string(group) + ", dy at " + std::to_string(buffers));
  TileGrid g(1, cols);
  const int outputs = static_cast<int>(counts.size());
  // dy of output o: M[1024 + o*kLanes*vl]; one row, so it is its own home and the broadcast stays in it.
  g.program(csr("VL", vl) + csr("STA", kLanes * vl) + csr("LMASK", 0x1f) + R"(
    mvp  r9, r9
    li   r6, )" +
            std::to_string(outputs) + R"(
    mvp  r6, r6
    li   r5, 100        ; slots
    li   r7, )" +
            std::to_string(buffers) + R"(  ; dy
    li   r8, )" +
            std::to_string(group) + R"(
    fork P
L:  vdot R[r5], )" +
            (one_hot ? "OH" : "M") + R"([r0], M[r7], r8
    dbnz r6, L
    join
    halt
P:  li   r9, )" +
            std::to_string(vl) + R"(
    csrw VL, r9
    li   r5, 100
    li   r7, )" +
            std::to_string(buffers) + R"(
    li   r1, 1024
N:  vb   src=M[r1], dst=M[r7]
    vr   in=WEST, out=WEST, src=R[r5]
    addi r1, r1, )" +
            std::to_string(kLanes * vl) + R"(
    dbnz r6, N
    halt)");
  for (int c = 0; c < cols; ++c) fill(g, rng, 4096, 0, c);
  g.call(0);
  Words expected;
  for (int o = 0; o < outputs; ++o) {
    for (int n = 0; n < counts[o]; ++n) {
      const auto index = one_hot ? g.mem(rng() % (kLanes * vl), 0, rng() % cols) : static_cast<std::uint16_t>(rng());
      g.weight(0, index, random_bf16(rng));
      std::uint32_t sum = 0;
      for (int c = cols - 1; c >= 0; --c) {
        std::uint32_t lane[kLanes] = {};
        for (int i = 0; i < vl; ++i) {
          for (int l = 0; l < kLanes; ++l) {
            const auto word = g.mem((one_hot ? 0 : (index & 0x1f) * kLanes * vl) + kLanes * i + l, 0, c);
            const bf16 x = one_hot ? (word == index ? 0x3f80 : 0) : word;
            const bf16 dy = to_bf16(widen(g.mem(1024 + o * kLanes * vl + kLanes * i + l, 0, c)));
            lane[l] = model::fma_bits(x, dy, lane[l]);
          }
        }
        for (int step = 1; step < kLanes; step *= 2)
          for (int l = 0; l < kLanes; l += 2 * step) lane[l] = model::add_bits(lane[l], lane[l + step]);
        const auto own = lane[0];
        sum = c == cols - 1 ? own : model::add_bits(sum, own);
      }
      expected.push_back(sum);
    }
    g.cr();
  }
  g.settle();
  EXPECT_EQ(g.outlet(), expected);
  for (int c = 0; c < cols; ++c) {
    EXPECT_EQ(g.flags(0, c), 0);
    EXPECT_TRUE(g.resting(0, c));
    EXPECT_FALSE(g.tile(0, c).rootp->weft_tile__DOT__i_pe__DOT__i_scalar__DOT__i_main_thread__DOT__state_q);
  }
}

TEST(Vdot, GradientsLeaveInStreamOrder) {
  const std::vector<int> counts = {3, 0, 16, 1, 17, 40, 0, 0, 32, 5, 15, 33};
  for (int cols : {1, 3}) {
    for (int vl : {1, 4, 7}) {
      for (const int group : {0, 1, 3, 9, 16 + 15, 1024 + 8}) {
        for (const int buffers : {4096, kUpperHalf + 64}) {
          gradient_case(cols, vl, counts, false, group, buffers);
          gradient_case(cols, vl, counts, true, group, buffers);
        }
      }
    }
  }
}

/// A group takes one beat a cycle; if dy is in the half of x, each entry takes one more cycle to fetch.
TEST(Vdot, DyInTheOtherHalfTakesNoCycle) {
  const auto cycles = [](int x, int buffers) {
    TileGrid g;
    g.program(csr("VL", 40) + csr("STA", 0) + "li r7, " + std::to_string(buffers) + "\n li r1, " + std::to_string(x) +
              "\n li r3, " + std::to_string(buffers) +
              "\n mvp r7, r3\n fork P\n join\n fork Q\n vdot R[r0], M[r1], M[r7]\n join\n halt\nP: " + csr("VL", 40) +
              "vb src=M[r0], dst=M[r7]\n halt\nQ: vr in=WEST, out=WEST, src=R[r0]\n halt");
    const auto before = g.cycles();
    g.call(0);
    for (int n = 0; n < 12; ++n) g.weight(0, 0, 0);
    g.cr();
    g.settle();
    return g.cycles() - before;
  };
  const auto apart = cycles(0, kUpperHalf);
  EXPECT_EQ(cycles(kUpperHalf, 512), apart);
  EXPECT_EQ(cycles(0, 512), apart + 40);
  EXPECT_EQ(cycles(kUpperHalf, kUpperHalf + 512), apart + 40);
}

}  // namespace
}  // namespace weft::test
