/// A sleeping cell or valve keeps its state: an edge without input changes no register, whatever came before.
#include <gtest/gtest.h>

#include "Vweft_edge_cell_registers.hpp"
#include "Vweft_valve_registers.hpp"
#include "tests/edge/chain_bench.hpp"
#include "tests/registers.hpp"

namespace weft::test {
namespace {

TEST(EdgeSleep, AnEdgeChangesNoRegister) {
  const std::uint64_t seed = test_seed();
  unsigned asleep = 0, flags = 0;
  for (unsigned trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    ChainBench bench(seed + trial, 3, 14);  // 4 rows
    bench.offer_percent = bench.send_percent = 30;
    bench.take_percent = bench.ready_percent = 40;
    for (unsigned k = 0; k < 1000; ++k) {
      Rng& rng = bench.rng;
      if (rng.chance(5)) bench.send(rng.chance(20), static_cast<std::uint32_t>(rng.next()));
      const std::size_t row = rng.below(3);
      if (rng.chance(5)) bench.to_cell[row].push(pack(rng.chance(50), rng.below(kColors), k));
      if (rng.chance(1) && !bench.to_cell[row].valid) {  // the sender has no queue of this color either
        bench.to_cell[row].valid = true;
        bench.to_cell[row].msg = pack(false, kColors + rng.below(32 - kColors), 7);
      }
      bench.step();
      bench.valve.valid_i = bench.valve.credit_i = 0;
      bench.valve.eval();
      if (!bench.valve.awake_o) {
        ++asleep;
        ASSERT_EQ(changed_by_an_edge(bench.valve), "") << "cycle " << k;
      }
      for (auto& cell : bench.cells) {
        cell->chain_valid_i = cell->chain_credit_i = cell->tile_valid_i = cell->tile_credit_i = 0;
        cell->eval();
        if (cell->awake_o) continue;
        ++asleep;
        ASSERT_EQ(changed_by_an_edge(*cell), "") << "cycle " << k;
      }
    }
    for (auto& cell : bench.cells) flags |= cell->no_row_o | cell->bad_color_o << 1;
  }
  EXPECT_EQ(flags, 3u);
  EXPECT_GT(asleep, 10000u);
}

}  // namespace
}  // namespace weft::test
