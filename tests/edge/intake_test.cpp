#include <gtest/gtest.h>

#include "tests/edge/chain_bench.hpp"

namespace weft::test {
namespace {

/// Expected messages at each row's tile: control messages, and the data of the row's indices; in order.
class Expected {
 public:
  Expected(ChainBench& bench, unsigned row_shift, unsigned first_row)
      : queue_(bench.cells.size()), shift_(row_shift), first_row_(first_row) {
    bench.at_tile = [this](std::size_t row, std::uint64_t m) {
      ASSERT_FALSE(queue_[row].empty()) << "row " << row;
      ASSERT_EQ(m, queue_[row].front()) << "row " << row;
      queue_[row].pop_front();
    };
  }

  void send(ChainBench& bench, bool ctrl, std::uint32_t data) {
    bench.send(ctrl, data);
    const unsigned row = (data >> 16 >> shift_) - first_row_;
    for (std::size_t r = 0; r < queue_.size(); ++r) {
      if (ctrl || r == row) queue_[r].push_back(pack(ctrl, 0, data));
    }
    if (!ctrl && row >= queue_.size()) nobody_ = true;
  }

  bool done() const {
    for (const auto& q : queue_) {
      if (!q.empty()) return false;
    }
    return true;
  }
  /// A data message belonged to no row.
  bool nobody() const { return nobody_; }

 private:
  std::vector<std::deque<std::uint64_t>> queue_;
  unsigned shift_, first_row_;
  bool nobody_ = false;
};

TEST(Intake, FansOutToTheRowsInOrder) {
  const std::uint64_t seed = test_seed();
  for (unsigned trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    Rng rng(seed + trial);
    const unsigned rows = 1 + rng.below(6);
    const unsigned shift = rows == 1 ? 16 : 16 - (rows <= 2 ? 1 : rows <= 4 ? 2 : 3);
    ChainBench bench(seed + trial, rows, shift);
    bench.offer_percent = trial % 2 ? 100 : 10 + rng.below(90);
    bench.take_percent = trial % 3 ? 100 : 10 + rng.below(90);
    Expected expected(bench, shift, 0);
    for (unsigned n = 0; n < 2000; ++n) {
      const auto row = static_cast<std::uint32_t>(rng.below(rows)) << shift;
      const std::uint32_t index = (row | (rng.below(0x10000) & ((1u << shift) - 1))) & 0xffff;
      expected.send(bench, rng.chance(10), index << 16 | rng.below(0x10000));
    }
    while ((!expected.done() || !bench.input.empty()) && bench.cycle < 200000) {
      bench.step();
      if (::testing::Test::HasFatalFailure()) return;
    }
    ASSERT_TRUE(expected.done());
    for (int k = 0; k < 50; ++k) bench.step();
    for (auto& cell : bench.cells) {
      EXPECT_EQ(cell->no_row_o, 0);
      EXPECT_EQ(cell->bad_color_o, 0);
      EXPECT_EQ(cell->awake_o, 0);
    }
    EXPECT_EQ(bench.valve.awake_o, 0);
  }
}

#if WEFT_DEPTH >= 4  // one color alone fills a link
TEST(Intake, TakesOneMessagePerCycle) {
  constexpr unsigned kRows = 4, kMessages = 1000;
  for (bool ctrl : {false, true}) {
    ChainBench bench(1, kRows, 14);
    unsigned arrived = 0;
    bench.at_tile = [&](std::size_t row, std::uint64_t) { arrived += row == kRows - 1; };
    for (unsigned n = 0; n < kMessages; ++n) bench.send(ctrl, 0xc0000000u | n);
    while (arrived < kMessages && bench.cycle < 2 * kMessages) bench.step();
    // accepted in cycle n; 1 cycle in the valve, 2 in each cell, 1 in the tile's buffer
    EXPECT_EQ(bench.cycle, kMessages + 2 * kRows + 2);
  }
}
#endif

TEST(Intake, FlagsDataWithoutARecipientInTheLastCellOnly) {
  const unsigned shift = 13;  // 8 rows; the chain serves rows 2..4
  ChainBench bench(1, 3, shift, 2);
  Expected expected(bench, shift, 2);
  expected.send(bench, true, 0x00000000);
  expected.send(bench, false, 4u << shift << 16);
  for (int k = 0; k < 50; ++k) bench.step();
  for (auto& cell : bench.cells) EXPECT_EQ(cell->no_row_o, 0) << "control messages end silently";
  for (unsigned row : {0u, 1u, 5u, 7u}) expected.send(bench, false, row << shift << 16 | row);
  expected.send(bench, false, 2u << shift << 16);
  for (int k = 0; k < 50; ++k) bench.step();
  EXPECT_TRUE(expected.nobody());
  EXPECT_TRUE(expected.done()) << "what is nobody's must not stop the others";
  EXPECT_EQ(bench.cells[0]->no_row_o, 0);
  EXPECT_EQ(bench.cells[1]->no_row_o, 0);
  EXPECT_EQ(bench.cells[2]->no_row_o, 1);
}

TEST(Intake, ARowThatIsFullHoldsUpOnlyWhatIsBehindIt) {
  ChainBench bench(1, 2, 15);
  bench.from_cell[0].blocked = 1;
  unsigned arrived[2] = {};
  bench.at_tile = [&](std::size_t row, std::uint64_t) { ++arrived[row]; };
  for (unsigned n = 0; n < kDepth; ++n) bench.send(false, n);           // fill row 0's tile
  for (unsigned n = 0; n < 10; ++n) bench.send(false, 0x80000000 | n);  // these pass
  bench.send(true, 0);                                                  // half of this passes
  bench.send(false, 0x80000000);                                        // this waits
  for (int k = 0; k < 100; ++k) bench.step();
  EXPECT_EQ(arrived[0], 0u);
  EXPECT_EQ(arrived[1], 11u);
  bench.from_cell[0].blocked = 0;
  for (int k = 0; k < 100; ++k) bench.step();
  EXPECT_EQ(arrived[0], kDepth + 1);
  EXPECT_EQ(arrived[1], 12u);
}

}  // namespace
}  // namespace weft::test
