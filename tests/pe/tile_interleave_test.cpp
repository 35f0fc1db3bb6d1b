// `vaxs` with `interleave`: each weight is added to the next of several sums, of one or more beats each, or to the sum
// that its index names.
#include <gtest/gtest.h>

#include "sw/base/bf16.hpp"
#include "tests/pe/stream_case.hpp"

namespace weft::test {
namespace {

constexpr int kX = 64, kY = 2048, kSums = 40;
using Entry = std::array<std::uint32_t, kLanes>;

/// Entries of all sums, and beats of a sum.
class Interleave : public ::testing::TestWithParam<std::pair<int, int>> {
 protected:
  void SetUp() override {
    fill(g, rng, 1024);
    for (int entry = 0; entry < 256; ++entry)
      for (int l = 0; l < kLanes; ++l) g.acc(entry, l) = random_fp32(rng);
  }
  std::string registers() const {
    return csr("VL", vl) + csr("STR", beats - 1 + 8 * numbered + 16 * (vl % 2)) + csr("STA", kLanes) +
           csr("LMASK", 0x1f) + "li r1, " + std::to_string(kX) + "\nli r2, " + std::to_string(kSums) + "\n";
  }
  /// One output after the other: main accumulates as `main` says, psum waits a while and stores.
  void rotating(const std::string& main, std::size_t outputs, int wait) {
    g.program(registers() + "li r3, " + std::to_string(kY) + "\nli r4, " + std::to_string(outputs) +
              "\nmvp r2, r2\nmvp r3, r3\nmvp r4, r4\nli r6, " + std::to_string(vl) +
              "\nmvp r6, r6\nfork p\nloop: " + main + "\ndbnz r4, loop\njoin\nhalt\np: csrw VL, r6\nnext: li r5, " +
              std::to_string(wait) + "\nslow: dbnz r5, slow\nvs.mov own=Q[r2], dst=M[r3]\naddi r3, r3, " +
              std::to_string(kLanes * vl) + "\ndbnz r4, next\nhalt");
    g.call(0);
  }
  /// Sends a stream of so many weights, distributed round robin to `sums` from the first on. Numbered weights are added
  /// to the sums in any order behind the first round.
  void stream(int weights, bool one_hot, std::vector<Entry>& sums) {
    for (int n = 0; n < weights; ++n) {
      auto index = one_hot ? g.mem(kX + static_cast<int>(rng() % kLanes)) : static_cast<std::uint16_t>(rng());
      int sum_of = n % each;
      if (numbered) {
        if (n >= each) sum_of = static_cast<int>(rng() % static_cast<unsigned>(each));
        index = static_cast<std::uint16_t>((index & ~15) | sum_of);
      }
      const int local = (numbered ? index >> 4 : index) & 0x1f;
      const bf16 w = random_bf16(rng);
      g.weight(0, index, w);
      for (int wait = gaps && rng() % 3 == 0 ? 30 : 0; wait > 0; --wait) g.step();
      for (int e = 0; e < kLanes * beats; ++e) {
        std::uint32_t& sum = sums[static_cast<std::size_t>(sum_of * beats + e / kLanes)][e % kLanes];
        const auto x = g.mem(kX + (one_hot ? 0 : local * kLanes) + e);
        sum = model::fma_bits(one_hot ? (x == index ? 0x3f80 : 0) : x, w, sum);
      }
    }
    g.cr();
  }
  Entry entry(int number) {
    Entry e;
    for (int l = 0; l < kLanes; ++l) e[l] = g.acc(number, l);
    return e;
  }
  std::vector<Entry> zero() const { return std::vector<Entry>(static_cast<std::size_t>(vl)); }
  void expect(const std::vector<std::vector<Entry>>& outputs) {
    g.settle();
    for (std::size_t o = 0; o < outputs.size(); ++o)
      for (int e = 0; e < kLanes * vl; ++e)
        ASSERT_EQ(g.mem(kY + static_cast<int>(o) * kLanes * vl + e),
                  to_bf16(outputs[o][static_cast<std::size_t>(e / kLanes)][e % kLanes]))
            << "output " << o << ", " << e;
    EXPECT_EQ(g.flags(), 0);
    EXPECT_TRUE(g.resting());
  }

  const int vl = GetParam().first, beats = GetParam().second, each = vl / beats;
  bool gaps = false;      // some of the stream's weights follow with a gap
  bool numbered = false;  // each weight's index has the number of its sum
  std::mt19937 rng{static_cast<unsigned>(vl + 100 * (beats - 1))};
  TileGrid g;
};

TEST_P(Interleave, AddsEachWeightToTheNextOrTheNumberedSum) {
  for (const auto& [one_hot, named] : {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
    gaps = one_hot;
    numbered = named && each <= 16;
    g.program(registers() + (one_hot ? "vaxs R[r2], OH[r1], interleave\n" : "vaxs R[r2], M[r1], interleave\n") +
              "halt");
    for (const int weights : {0, 1, each - 1, each, each + 1, 3 * each + 2}) {
      std::vector<Entry> sums = zero();
      for (int i = 0; i < vl; ++i) sums[static_cast<std::size_t>(i)] = entry(kSums + i);
      const Entry behind = entry(kSums + vl);
      const auto before = g.tile().beats_o;
      g.call(0);
      stream(weights, one_hot, sums);
      g.settle();
      for (int i = 0; i < vl; ++i) ASSERT_EQ(entry(kSums + i), sums[static_cast<std::size_t>(i)]) << i;
      EXPECT_EQ(entry(kSums + vl), behind);
      EXPECT_EQ(g.tile().beats_o - before, static_cast<unsigned>(weights * beats));
    }
  }
  EXPECT_EQ(g.flags(), 0);
}

/// A buffer that did not get a weight for each entry is empty, whichever cycle its CR arrives in.
TEST_P(Interleave, ABufferIsZeroAndEmptyBeforeItsLastEntry) {
  for (const auto& [wait, named] : {std::pair(1, false), {60, false}, {1, true}, {60, true}}) {
    gaps = wait == 1;  // psum is ahead; otherwise main waits for room in MP
    numbered = named;
    const std::vector<int> counts = {2 * each, 0, each, each - 1, each + 1, 0, 0, 3 * each - 1, each, 4 * each};
    rotating("vaxs Q[r2], M[r1], put, interleave", counts.size(), wait);
    std::vector<std::vector<Entry>> outputs;
    for (const int weights : counts) {
      stream(weights, false, outputs.emplace_back(zero()));
      if (weights < each) outputs.back() = zero();
    }
    expect(outputs);
  }
}

TEST_P(Interleave, ASecondStreamBeginsWithTheFirstEntry) {
  const std::vector<std::pair<int, int>> counts = {{each, each + 1}, {0, 2 * each},        {each + 1, 1},
                                                   {0, 0},           {each - 1, each + 1}, {3 * each, 0}};
  rotating("vaxs Q[r2], M[r1], interleave\nvaxs Q[r2], OH[r1], put, interleave", counts.size(), 1);
  std::vector<std::vector<Entry>> outputs;
  for (const auto& [first, second] : counts) {
    stream(first, false, outputs.emplace_back(zero()));
    if (first < each) outputs.back() = zero();  // a buffer that did not get a weight for each entry is not kept
    stream(second, true, outputs.back());
  }
  expect(outputs);
}

/// A number may name any of 16 sums, also behind the last entry, and entries are counted modulo 256.
TEST_P(Interleave, NumbersNameAnyOfSixteenSums) {
  const std::string source = csr("VL", vl) + csr("STR", beats - 1 + 8) + csr("STA", kLanes) + csr("LMASK", 0) +
                             "li r1, " + std::to_string(kX) + "\nli r2, 200\nvaxs R[r2], M[r1], interleave\nhalt";
  g.program(source);
  std::vector<Entry> sums;
  for (int i = 0; i < 256; ++i) sums.push_back(entry(i));
  g.call(0);
  for (int n = 0; n < 48; ++n) {
    const int sum = static_cast<int>(rng() % 16);
    const bf16 w = random_bf16(rng);
    g.weight(0, static_cast<std::uint16_t>((rng() & 0xfff0) | static_cast<unsigned>(sum)), w);
    for (int e = 0; e < kLanes * beats; ++e) {
      std::uint32_t& to = sums[static_cast<std::size_t>((200 + sum * beats + e / kLanes) & 255)][e % kLanes];
      to = model::fma_bits(g.mem(kX + e), w, to);
    }
  }
  g.cr();
  g.settle();
  for (int i = 0; i < 256; ++i) ASSERT_EQ(entry(i), sums[static_cast<std::size_t>(i)]) << i;
  EXPECT_EQ(g.flags(), 0);
}

/// A sum can be added to again after 7 cycles: that many entries, or more, hide the latency.
TEST_P(Interleave, ABeatACycleFromSevenEntriesOn) {
  const auto cycles = [&](int weights) {
    std::vector<Entry> sums = zero();
    g.program(registers() + "vaxs R[r2], M[r1], interleave\nhalt");
    g.settle();
    const auto before = g.cycles();
    g.call(0);
    stream(weights, false, sums);
    g.settle();
    return g.cycles() - before;
  };
  constexpr int kRounds = 10;
  EXPECT_EQ(cycles((kRounds + 2) * each) - cycles(2 * each), static_cast<unsigned>(kRounds * std::max(vl, 7)));
}

using Sums = std::pair<int, int>;
INSTANTIATE_TEST_SUITE_P(Entries, Interleave,
                         ::testing::Values(Sums{1, 1}, Sums{2, 1}, Sums{6, 1}, Sums{7, 1}, Sums{8, 1}, Sums{12, 1},
                                           Sums{2, 2}, Sums{8, 2}, Sums{9, 3}, Sums{16, 4}, Sums{10, 5}, Sums{12, 6},
                                           Sums{14, 7}, Sums{16, 8}));

}  // namespace
}  // namespace weft::test
