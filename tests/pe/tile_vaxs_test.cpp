// `vaxs`: scaled features, as their weights arrive.
#include <gtest/gtest.h>

#include "tests/pe/stream_case.hpp"

namespace weft::test {
namespace {

void axpy_case(bool one_hot, int vl, int weights) {
  std::mt19937 rng(vl * 100 + weights + one_hot);
  SCOPED_TRACE("vl " + std::to_string(vl) + ", weights " + std::to_string(weights));
  TileGrid g;
  fill(g, rng, 4096);
  std::vector<std::array<std::uint32_t, kLanes>> acc(vl);
  for (int i = 0; i < vl; ++i) {
    for (int l = 0; l < kLanes; ++l) g.acc(40 + i, l) = acc[i][l] = random_fp32(rng);
  }
  g.program(csr("VL", vl) + csr("STA", kLanes * vl) + csr("LMASK", 0x1f) +
            (one_hot ? "vaxs R[r2], OH[r1]\n" : "vaxs R[r2], M[r1]\n") + "halt");
  g.set_reg(1, 64);
  g.set_reg(2, 40);
  g.call(0);
  for (int n = 0; n < weights; ++n) {
    const auto index = one_hot ? g.mem(64 + rng() % (kLanes * vl)) : static_cast<std::uint16_t>(rng());
    const bf16 w = random_bf16(rng);
    g.weight(0, index, w);
    for (int i = 0; i < vl; ++i) {
      for (int l = 0; l < kLanes; ++l) {
        const auto x = g.mem(64 + (one_hot ? 0 : (index & 0x1f) * kLanes * vl) + i * kLanes + l);
        acc[i][l] = model::fma_bits(one_hot ? (x == index ? 0x3f80 : 0) : x, w, acc[i][l]);
      }
    }
  }
  g.cr();
  g.settle();
  for (int i = 0; i < vl; ++i) {
    for (int l = 0; l < kLanes; ++l) ASSERT_EQ(g.acc(40 + i, l), acc[i][l]);
  }
  EXPECT_EQ(g.flags(), 0);
  EXPECT_TRUE(g.resting());
}

TEST(Vaxs, AddsScaledFeaturesInStreamOrder) {
  for (int vl : {1, 2, 5, 8, 12}) {
    for (int weights : {0, 1, 2, 17}) {
      axpy_case(false, vl, weights);
      axpy_case(true, vl, weights);
    }
  }
}

TEST(Vaxs, AnotherControlMessageEndsItAndSetsTheFlag) {
  TileGrid g;
  g.program(csr("VL", 1) + "vaxs R[r0], M[r0]\n li r3, 5\n halt");
  g.call(0);
  g.set_reg(4, 1);  // not a CR
  g.settle();
  EXPECT_EQ(g.flags(), 1 << 3);
  EXPECT_EQ(g.reg(0, 3), 5);
}

}  // namespace
}  // namespace weft::test
