// `vaxs` with rotating accumulators (docs/explanation/psum.md): without copies or resets.
#include <gtest/gtest.h>

#include "sw/base/bf16.hpp"
#include "tests/pe/stream_case.hpp"

namespace weft::test::tile_rotating_test {
namespace {

constexpr int kX = 64, kY = 2048, kSums = 40;

/// One output after the other: main accumulates, psum stores. R is full of old values.
class RotatingSums : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    fill(g, rng, 1024);
    for (int entry = 0; entry < 256; ++entry)
      for (int l = 0; l < kLanes; ++l) g.acc(entry, l) = random_fp32(rng);
  }
  /// `main` is the loop's body; psum idles for `wait` iterations before each output.
  void program(const std::string& main, int outputs, int wait = 1) {
    g.program(csr("VL", vl) + csr("STA", kLanes * vl) + csr("LMASK", 0xf) + "li r1, " + std::to_string(kX) +
              "\nli r2, " + std::to_string(kSums) + "\nli r3, " + std::to_string(kY) + "\nli r4, " +
              std::to_string(outputs) + "\nli r5, " + std::to_string(kX + 3) +
              "\nmvp r2, r2\nmvp r3, r3\nmvp r4, r4\nmvp r9, r9\nli r6, " + std::to_string(vl) +
              "\nmvp r6, r6\nfork p\nloop: " + main + "\ndbnz r4, loop\njoin\nhalt\np: csrw VL, r6\nnext: li r5, " +
              std::to_string(wait) + "\nslow: dbnz r5, slow\nvs.mov own=Q[r2], dst=M[r3]\naddi r3, r3, " +
              std::to_string(kLanes * vl) + "\ndbnz r4, next\nhalt");
  }
  /// Sends a stream of so many weights, added to `sum`.
  void stream(int weights, bool one_hot, Words& sum) {
    for (int n = 0; n < weights; ++n) {
      const auto index =
          one_hot ? g.mem(kX + static_cast<int>(rng() % (kLanes * vl))) : static_cast<std::uint16_t>(rng());
      const bf16 w = random_bf16(rng);
      g.weight(0, index, w);
      for (int e = 0; e < kLanes * vl; ++e) {
        const auto x = g.mem(kX + (one_hot ? 0 : (index & 0xf) * kLanes * vl) + e);
        sum[e] = model::fma_bits(one_hot ? (x == index ? 0x3f80 : 0) : x, w, sum[e]);
      }
    }
    g.cr();
  }
  Words zero() const { return Words(static_cast<std::size_t>(kLanes * vl)); }
  void expect(const std::vector<Words>& sums) {
    g.settle();
    for (std::size_t o = 0; o < sums.size(); ++o)
      for (int e = 0; e < kLanes * vl; ++e)
        ASSERT_EQ(g.mem(kY + static_cast<int>(o) * kLanes * vl + e), to_bf16(sums[o][e]))
            << "output " << o << ", " << e;
    EXPECT_EQ(g.flags(), 0);
    EXPECT_TRUE(g.resting());
  }

  const int vl = GetParam();
  std::mt19937 rng{static_cast<unsigned>(vl)};
  TileGrid g;
};

TEST_P(RotatingSums, EachOutputStartsFromZeroEvenWithoutWeights) {
  for (const int wait : {1, 60}) {  // psum is ahead; main waits for room in MP
    const std::vector<int> counts = {3, 0, 1, 0, 0, 5, 2, 8, 1, 1, 0};
    program("vaxs Q[r2], M[r1], put", static_cast<int>(counts.size()), wait);
    std::vector<Words> sums(counts.size(), zero());
    g.call(0);
    for (std::size_t o = 0; o < counts.size(); ++o) stream(counts[o], false, sums[o]);
    expect(sums);
  }
}

TEST_P(RotatingSums, TwoStreamsOfAnOutputAddUp) {
  const std::vector<std::pair<int, int>> counts = {{2, 3}, {0, 2}, {1, 0}, {0, 0}, {4, 1}, {0, 1}};
  program("vaxs Q[r2], M[r1]\nvaxs Q[r2], OH[r1], put", static_cast<int>(counts.size()));
  std::vector<Words> sums(counts.size(), zero());
  g.call(0);
  for (std::size_t o = 0; o < counts.size(); ++o) {
    stream(counts[o].first, false, sums[o]);
    stream(counts[o].second, true, sums[o]);
  }
  expect(sums);
}

TEST_P(RotatingSums, CallResetsTheSums) {
  g.program(csr("VL", vl) + "li r2, 40\nvaxs Q[r2], M[r0]\nhalt");
  Words nothing = zero();
  g.call(0);
  stream(2, false, nothing);
  g.settle();
  const std::vector<int> counts = {0, 2};
  program("vaxs Q[r2], M[r1], put", 2);
  std::vector<Words> sums(2, zero());
  g.call(0);
  for (std::size_t o = 0; o < 2; ++o) stream(counts[o], false, sums[o]);
  expect(sums);
}

TEST_P(RotatingSums, AnEntryOfAnOutputCostsItsWeightsAndTwoBeats) {
  constexpr int kOutputs = 9, kWeights = 4;
  program("vaxs Q[r2], M[r1], put", kOutputs);
  std::vector<Words> sums(kOutputs, zero());
  const auto before = g.tile().beats_o;
  g.call(0);
  for (Words& sum : sums) stream(kWeights, false, sum);
  expect(sums);
  EXPECT_EQ(g.tile().beats_o - before, static_cast<unsigned>(kOutputs * vl * (kWeights + kLanes / 2)));
}

INSTANTIATE_TEST_SUITE_P(Lengths, RotatingSums, ::testing::Values(1, 2, 5, 8, 12));

}  // namespace
}  // namespace weft::test::tile_rotating_test
