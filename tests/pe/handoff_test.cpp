/// The handoff queues between the threads against two queues in C++.
#include <gtest/gtest.h>

#include <deque>

#include "Vweft_pe_handoff.h"
#include "tests/clock.hpp"
#include "tests/random.hpp"

namespace weft::test {
namespace {

TEST(Handoff, PassesEntriesInOrderAndTellsWhoseTurnItIsSinceItWasCleared) {
  Rng rng(test_seed());
  VerilatedContext context;
  Vweft_pe_handoff dut(&context);
  reset(dut);
  std::deque<unsigned> mp;
  unsigned mp_puts = 0, mp_takes = 0, pm = 0, pm_puts = 0, pm_takes = 0;
  bool filled = false;
  unsigned taken = 0, clears = 0;
  for (int cycle = 0; cycle < 10000; ++cycle) {
    const unsigned state = dut.state_o;  // handoff_t of rtl/pe/weft_pe_pkg.sv
    const auto field = [state](int low, unsigned bits) { return state >> low & ((1U << bits) - 1); };
    ASSERT_EQ(field(9, 2), mp.size()) << "cycle " << cycle;
    ASSERT_TRUE(mp.empty() || dut.mp_front_o == mp.front());
    ASSERT_TRUE(mp.size() < 2 || dut.mp_second_o == mp.back());
    ASSERT_EQ(field(7, 2), pm);
    ASSERT_EQ(field(5, 2), mp_puts % 3);
    ASSERT_EQ(field(3, 2), mp_takes % 3);
    ASSERT_EQ(field(2, 1), filled);
    ASSERT_EQ(field(1, 1), pm_puts & 1);
    ASSERT_EQ(field(0, 1), pm_takes & 1);
    dut.mp_put_i = mp.size() < 2 && rng.chance(60);
    dut.mp_take_i = !mp.empty() && rng.chance(60);
    dut.pm_put_i = pm < 2 && rng.chance(60);
    dut.pm_take_i = pm > 0 && rng.chance(60);
    dut.mp_fill_i = rng.chance(30);
    dut.mp_entry_i = static_cast<CData>(rng.below(128));  // {empty, last, count}
    filled = (filled || dut.mp_fill_i) && !dut.mp_put_i;
    if (dut.mp_take_i) mp.pop_front();
    if (dut.mp_put_i) mp.push_back(dut.mp_entry_i);
    mp_puts += dut.mp_put_i, mp_takes += dut.mp_take_i;
    pm_puts += dut.pm_put_i, pm_takes += dut.pm_take_i;
    pm += unsigned{dut.pm_put_i} - unsigned{dut.pm_take_i};
    dut.clear_i = !(dut.mp_put_i | dut.mp_fill_i | dut.mp_take_i | dut.pm_put_i | dut.pm_take_i) && rng.chance(50);
    if (dut.clear_i) {
      mp.clear();
      filled = false;
      mp_puts = mp_takes = pm = pm_puts = pm_takes = 0;
      ++clears;
    }
    taken += dut.mp_take_i + dut.pm_take_i;
    clock(dut);
  }
  EXPECT_GT(taken, 2000u);
  EXPECT_GT(clears, 100u);
}

}  // namespace
}  // namespace weft::test
