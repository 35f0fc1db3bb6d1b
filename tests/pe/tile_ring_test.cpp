// The partial-sum ring of a column, and what it costs the vector unit.
#include <gtest/gtest.h>

#include <map>

#include "tests/pe/stream_case.hpp"

namespace weft::test {
namespace {

TEST(PartialSum, GoesAroundTheRingInOrder) {
  constexpr int kRows = 3, kVl = 6, kOutputs = 9;
  std::mt19937 rng(7);
  TileGrid g(kRows);
  // Home row of output o is o mod rows. psum: r1 = position after the home row, counting south.
  g.program(csr("VL", kVl) + csr("STA", kLanes * kVl) + csr("LMASK", 0x7) + R"(
    csrr r3, ROWS
    csrr r4, ROW
    mvp  r3, r3
    mvp  r4, r4
    mvp  r9, r9
    li   r1, 0
    li   r2, 0         ; accumulators
    li   r5, 16        ; partial sums (two buffers)
    li   r6, )" +
            std::to_string(kOutputs) + R"(
    mvp  r6, r6
    fork P
L:  vaxs R[r2], M[r1]
    vcr  R[r5], R[r2]
    dbnz r6, L
    join
    halt
P:  li   r9, )" +
            std::to_string(kVl) + R"(
    csrw VL, r9
    li   r5, 16
    li   r7, 2048      ; where results go
    li   r8, 0         ; home row
N:  beq  r8, r4, HOME
    addi r10, r8, 1
    bne  r10, r3, W
    li   r10, 0
W:  beq  r10, r4, FIRST
    vs.add in=RING, own=Q[r5], out=RING
    jmp  E
FIRST: vs.mov own=Q[r5], out=RING
    jmp  E
HOME: vs.add in=RING, own=Q[r5], dst=M[r7]
    addi r7, r7, )" +
            std::to_string(kLanes * kVl) + R"(
E:  addi r8, r8, 1
    bne  r8, r3, S
    li   r8, 0
S:  dbnz r6, N
    halt)");
  std::array<std::vector<std::uint16_t>, kRows> x;
  for (int r = 0; r < kRows; ++r) {
    fill(g, rng, 2048, r);
    for (int i = 0; i < 2048; ++i) x[r].push_back(g.mem(i, r));
    g.call(0, r);
  }
  std::map<int, std::vector<std::uint16_t>> expected;  // by output
  for (int o = 0; o < kOutputs; ++o) {
    std::vector<std::array<std::uint32_t, kRows>> acc(kLanes * kVl, {0, 0, 0});
    for (int r = 0; r < kRows; ++r) {
      const int weights = rng() % 5;
      for (int n = 0; n < weights; ++n) {
        const auto index = static_cast<std::uint16_t>(rng());
        const bf16 w = random_bf16(rng);
        g.weight(r, index, w);
        for (int t = 0; t < kLanes * kVl; ++t) acc[t][r] = fma_bits(x[r][(index & 7) * kLanes * kVl + t], w, acc[t][r]);
      }
      g.cr(r);
    }
    for (int t = 0; t < kLanes * kVl; ++t) {
      const int home = o % kRows;
      std::uint32_t sum = acc[t][(home + 1) % kRows];
      for (int k = 2; k <= kRows; ++k) sum = add_bits(sum, acc[t][(home + k) % kRows]);
      expected[o].push_back(to_bf16(sum));
    }
  }
  g.settle();
  for (int r = 0; r < kRows; ++r) {
    EXPECT_EQ(g.flags(r), 0);
    EXPECT_TRUE(g.resting(r));
  }
  for (int o = 0; o < kOutputs; ++o) {
    for (int t = 0; t < kLanes * kVl; ++t) {
      ASSERT_EQ(g.mem(2048 + (o / kRows) * kLanes * kVl + t, o % kRows), expected[o][t]) << "output " << o << ", token " << t;
    }
  }
}

// The seeds' four cycles: one to copy, one to reset, two for the double-wide add; the AXPYs' beats go on in between.
TEST(PartialSum, TakesFourCyclesOfTheVectorUnitPerAccumulator) {
  constexpr int kVl = 8, kOutputs = 6, kWeights = 20;
  TileGrid g(2);
  g.program(gemm_of_two_rows(kVl, kOutputs));
  call_gemm_of_two_rows(g, kOutputs, kWeights);
  constexpr int kAdds = kVl * kLanes / 2;  // double-wide
  int main_beats = 0, psum_beats = 0, between = 0, inside = 0;
  const auto before = g.tile(1).beats_o;
  const auto fma_before = g.tile(1).fma_lanes_o;
  for (int n = 0; n < 5000; ++n) {
    const Vtile& t = g.tile(1);
    // The signals show what the coming clock edge does; a sleeping tile does nothing.
    if (t.psum_issue_o) ++psum_beats, ++inside;
    if (t.main_issue_o) {
      ++main_beats;
      if (inside > 0 && inside < kAdds) ++between;
    }
    if (inside == kAdds) inside = 0;
    ASSERT_FALSE(t.main_issue_o && t.psum_issue_o);
    g.step();
  }
  EXPECT_TRUE(g.quiet());
  const int axpy_beats = kOutputs * kWeights * kVl;
  EXPECT_EQ((g.tile(1).fma_lanes_o - fma_before), static_cast<unsigned>(kLanes) * axpy_beats);
  EXPECT_EQ(g.tile(1).beats_o - before, static_cast<std::uint64_t>(main_beats + psum_beats));
  EXPECT_EQ(psum_beats, kOutputs * kAdds);                 // the double-wide add
  EXPECT_EQ(main_beats - axpy_beats, kOutputs * kVl * 2);  // copy and reset
  EXPECT_GT(between, kOutputs * kVl / 2);                  // and main worked on while psum waited for its words
}

// A dense GEMM on a column of two: 64 weights for each output and row, 32 tokens.
TEST(PartialSum, ADenseGemmKeepsTheLanesBusy) {
  constexpr int kVl = 8, kOutputs = 8, kWeights = 64;
  TileGrid g(2);
  g.program(gemm_of_two_rows(kVl, kOutputs));
  g.settle();
  call_gemm_of_two_rows(g, kOutputs, kWeights);
  const auto start = g.cycles();
  const auto fma_before = g.tile(1).fma_lanes_o;
  int main_beats = 0;
  while (!g.quiet() || g.cycles() == start) {
    main_beats += g.tile(1).main_issue_o;
    g.step();
  }
  const double cycles = static_cast<double>(g.cycles() - start);
  const double fma = static_cast<double>(g.tile(1).fma_lanes_o - fma_before) / kLanes;
  std::printf("main beats %.3f, multiply-add beats %.3f of all cycles\n", main_beats / cycles, fma / cycles);
  EXPECT_EQ(fma, kOutputs * kWeights * kVl);
  EXPECT_GE(main_beats / cycles, 0.9);
  EXPECT_EQ(g.flags(1), 0);
}

}  // namespace
}  // namespace weft::test
