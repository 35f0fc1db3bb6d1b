// The partial-sum ring of a column, and its cost in cycles of the vector unit.
#include <gtest/gtest.h>

#include <map>

#include "tests/gemm_program.hpp"
#include "tests/pe/stream_case.hpp"

namespace weft::test::tile_ring_test {
namespace {

constexpr int kY = 2048;  // address of the results; x is at 0

/// Loads the GEMM into `rows` rows and calls it.
void start_gemm(TileGrid& g, int rows, int vl, int outputs, int lmask) {
  g.program(kGemm, {{"TOKENS", kLanes * vl}, {"BEATS", vl}, {"LMASK_", lmask}});
  for (int r = 0; r < rows; ++r) {
    g.set_reg(1, outputs, r), g.set_reg(2, 0, r), g.set_reg(3, kY, r);
    g.call(0, r);
  }
}

/// Queues `weights` weights of 1.0 for each output and row.
void send_ones(TileGrid& g, int rows, int outputs, int weights) {
  for (int r = 0; r < rows; ++r) {
    for (int o = 0; o < outputs; ++o) {
      for (int n = 0; n < weights; ++n) g.weight(r, static_cast<std::uint16_t>(n), 0x3f80);
      g.cr(r);
    }
  }
}

TEST(PartialSum, GoesAroundTheRingInOrder) {
  constexpr int kRows = 3, kVl = 6, kOutputs = 9;
  std::mt19937 rng(7);
  TileGrid g(kRows);
  std::array<std::vector<std::uint16_t>, kRows> x;
  for (int r = 0; r < kRows; ++r) {
    fill(g, rng, kY, r);
    for (int i = 0; i < kY; ++i) x[r].push_back(g.mem(i, r));
  }
  start_gemm(g, kRows, kVl, kOutputs, 7);
  std::map<int, std::vector<std::uint16_t>> expected;  // by output
  for (int o = 0; o < kOutputs; ++o) {
    std::vector<std::array<std::uint32_t, kRows>> acc(kLanes * kVl, {0, 0, 0});
    for (int r = 0; r < kRows; ++r) {
      const int weights = rng() % 5;
      for (int n = 0; n < weights; ++n) {
        const auto index = static_cast<std::uint16_t>(rng());
        const bf16 w = random_bf16(rng);
        g.weight(r, index, w);
        for (int t = 0; t < kLanes * kVl; ++t)
          acc[t][r] = model::fma_bits(x[r][(index & 7) * kLanes * kVl + t], w, acc[t][r]);
      }
      g.cr(r);
    }
    for (int t = 0; t < kLanes * kVl; ++t) {
      const int home = o % kRows;
      std::uint32_t sum = acc[t][(home + 1) % kRows];
      for (int k = 2; k <= kRows; ++k) sum = model::add_bits(sum, acc[t][(home + k) % kRows]);
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
      ASSERT_EQ(g.mem(kY + (o / kRows) * kLanes * kVl + t, o % kRows), expected[o][t])
          << "output " << o << ", token " << t;
    }
  }
}

// The four cycles of the papers: one to copy, one to reset, two for the double-wide add; the AXPYs' beats continue in
// between.
TEST(PartialSum, TakesFourCyclesOfTheVectorUnitPerAccumulator) {
  // With a row more than outputs, row 0 starts none of the sums, so its psum always waits for words.
  constexpr int kVl = 8, kOutputs = 6, kRows = kOutputs + 1, kWeights = 20;
  TileGrid g(kRows);
  start_gemm(g, kRows, kVl, kOutputs, 63);
  send_ones(g, kRows, kOutputs, kWeights);
  constexpr int kAdds = kVl * kLanes / 2;  // double-wide
  int main_beats = 0, psum_beats = 0, between = 0, inside = 0;
  const auto before = g.tile().beats_o;
  const auto fma_before = g.tile().fma_lanes_o;
  for (int n = 0; n < 5000; ++n) {
    const Vweft_tile& t = g.tile();
    // The signals show the effects of the next clock edge; a sleeping tile has none.
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
  EXPECT_EQ((g.tile().fma_lanes_o - fma_before), static_cast<unsigned>(kLanes) * axpy_beats);
  EXPECT_EQ(g.tile().beats_o - before, static_cast<std::uint64_t>(main_beats + psum_beats));
  EXPECT_EQ(psum_beats, kOutputs * kAdds);                 // the double-wide add
  EXPECT_EQ(main_beats - axpy_beats, kOutputs * kVl * 2);  // copy and reset
  EXPECT_GT(between, kOutputs * kVl / 2);                  // and main continued while psum waited for its words
}

// A dense GEMM on a column of two: 64 weights for each output and row, eight beats of tokens.
TEST(PartialSum, ADenseGemmKeepsTheLanesBusy) {
  constexpr int kRows = 2, kVl = 8, kOutputs = 8, kWeights = 64;
  TileGrid g(kRows);
  start_gemm(g, kRows, kVl, kOutputs, 63);
  g.settle();
  send_ones(g, kRows, kOutputs, kWeights);
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
}  // namespace weft::test::tile_ring_test
