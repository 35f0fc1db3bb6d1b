#include <gtest/gtest.h>

#include "tests/edge/chain_bench.hpp"

namespace weft::test {
namespace {

/// Numbers the messages a tile sends, and checks them at the host.
class Numbered {
 public:
  explicit Numbered(ChainBench& bench) : sent_(bench.cells.size()), arrived_(bench.cells.size()) {
    bench.at_host = [this](std::size_t row, std::uint64_t m) {
      const unsigned c = color_of(m);
      ASSERT_EQ(m, pack(false, c, static_cast<std::uint32_t>(row) << 24 | arrived_[row][c])) << "row " << row;
      ++arrived_[row][c];
    };
  }
  void send(ChainBench& bench, std::size_t row, unsigned color) {
    bench.to_cell[row].push(pack(false, color, static_cast<std::uint32_t>(row) << 24 | sent_[row][color]++));
  }
  bool done() const { return sent_ == arrived_; }

 private:
  std::vector<std::array<unsigned, kColors>> sent_, arrived_;
};

TEST(Outlet, OffersEachColorInOrder) {
  const std::uint64_t seed = test_seed();
  for (unsigned trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    ChainBench bench(seed + trial, 2, 15);
    bench.send_percent = trial % 2 ? 100 : 10 + bench.rng.below(90);
    bench.ready_percent = trial % 3 ? 100 : 10 + bench.rng.below(90);
    Numbered numbered(bench);
    for (unsigned n = 0; n < 3000; ++n) numbered.send(bench, bench.rng.below(2), bench.rng.below(kColors));
    while (!numbered.done() && bench.cycle < 100000) {
      bench.step();
      if (::testing::Test::HasFatalFailure()) return;
    }
    ASSERT_TRUE(numbered.done());
    for (int k = 0; k < 20; ++k) bench.step();
    for (std::size_t row : {0, 1}) {
      EXPECT_TRUE(bench.to_cell[row].all_credits_home());
      EXPECT_EQ(bench.cells[row]->awake_o, 0);
    }
  }
}

#if WEFT_DEPTH >= 4  // one color alone fills a link
TEST(Outlet, TakesOneMessagePerCycle) {
  ChainBench bench(1, 1, 16);
  Numbered numbered(bench);
  for (unsigned n = 0; n < 1000; ++n) numbered.send(bench, 0, kColors - 1);
  while (!numbered.done() && bench.cycle < 2000) bench.step();
  // one cycle for the sender to decide, 2 in the outlet, then one message per cycle
  EXPECT_EQ(bench.cycle, 1003u);
}
#endif

/// While the host takes nothing, the outlet and the link hold all messages; afterwards colors take turns.
TEST(Outlet, LosesNothingWhileTheHostDoesNotTake) {
  ChainBench bench(1, 1, 16);
  Numbered numbered(bench);
  for (unsigned n = 0; n < 20 * kDepth; ++n)
    for (unsigned c = 0; c < kColors; ++c) numbered.send(bench, 0, c);
  bench.ready_percent = 0;
  unsigned arrived = 0;
  const auto check = bench.at_host;
  bench.at_host = [&](std::size_t row, std::uint64_t m) {
    ++arrived;
    check(row, m);
  };
  for (unsigned k = 0; k < 100 * kColors; ++k) bench.step();
  EXPECT_EQ(arrived, 0u);
  EXPECT_TRUE(bench.cells[0]->host_valid_o);
  EXPECT_FALSE(bench.to_cell[0].empty());
  const std::uint64_t offered = bench.cells[0]->host_msg_o;
  for (unsigned k = 0; k < 10; ++k) bench.step();
  EXPECT_EQ(bench.cells[0]->host_msg_o, offered) << "an offer stays";
  bench.ready_percent = 100;
  while (!numbered.done() && bench.cycle < 10000 * kColors) bench.step();
  EXPECT_TRUE(numbered.done());
  EXPECT_EQ(arrived, 20 * kDepth * kColors);
}

TEST(Edge, StallsWhileNotAwake) {
  const std::uint64_t seed = test_seed();
  ChainBench always(seed, 3, 14), lazy(seed, 3, 14);
  lazy.skip_idle = true;
  std::vector<std::uint64_t> seen[2];
  ChainBench* benches[] = {&always, &lazy};
  for (int b = 0; b < 2; ++b) {
    ChainBench& bench = *benches[b];
    const auto note = [&bench, &log = seen[b]](unsigned side) {
      return [&bench, &log, side](std::size_t row, std::uint64_t m) {
        log.insert(log.end(), {bench.cycle, side, row, m});
      };
    };
    bench.at_tile = note(0);
    bench.at_host = note(1);
    bench.offer_percent = 5;
    bench.send_percent = 5;
    Rng rng(seed);
    for (unsigned n = 0; n < 2000; ++n) {
      bench.send(rng.chance(20), static_cast<std::uint32_t>(rng.below(4) << 30 | n));
      const unsigned row = rng.below(3);
      bench.to_cell[row].push(pack(false, rng.below(kColors), n));
    }
  }
  for (int k = 0; k < 60000; ++k) {
    always.step();
    lazy.step();
    ASSERT_EQ(seen[0].size(), seen[1].size()) << "cycle " << k;
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_GT(seen[0].size(), 4u * 3000);
  EXPECT_EQ(always.cells[2]->no_row_o, 1);
  EXPECT_EQ(lazy.cells[2]->no_row_o, 1);
  EXPECT_GT(lazy.skipped, 10000u);
}

}  // namespace
}  // namespace weft::test
