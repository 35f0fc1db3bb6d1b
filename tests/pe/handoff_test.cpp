/// The handoff queues between the threads against two queues in C++.
#include <gtest/gtest.h>

#include <deque>

#include "Vweft_pe_handoff.h"
#include "tests/clock.hpp"
#include "tests/random.hpp"

namespace weft::test {
namespace {

TEST(Handoff, PassesEntriesInOrderAndTellsWhoseTurnItIsSinceItWasCleared) {
  Dice dice(test_seed());
  VerilatedContext context;
  Vweft_pe_handoff dut(&context);
  reset(dut);
  std::deque<unsigned> mp;
  unsigned mp_puts = 0, mp_takes = 0, pm = 0, pm_puts = 0, pm_takes = 0;
  bool filled = false;
  unsigned taken = 0, clears = 0;
  for (int cycle = 0; cycle < 10000; ++cycle) {
    ASSERT_EQ(dut.mp_room_o, mp.size() < 2) << "cycle " << cycle;
    ASSERT_EQ(dut.mp_valid_o, !mp.empty());
    ASSERT_TRUE(mp.empty() || dut.mp_front_o == mp.front());
    ASSERT_TRUE(mp.size() < 2 || dut.mp_second_o == mp.back());
    ASSERT_EQ(dut.mp_put_buffer_o, mp_puts % 3);
    ASSERT_EQ(dut.mp_take_buffer_o, mp_takes % 3);
    ASSERT_EQ(dut.mp_filled_o, filled);
    ASSERT_EQ(dut.mp_count_o, mp.size());
    ASSERT_EQ(dut.pm_room_o, pm < 2);
    ASSERT_EQ(dut.pm_valid_o, pm > 0);
    ASSERT_EQ(dut.pm_put_par_o, pm_puts & 1);
    ASSERT_EQ(dut.pm_take_par_o, pm_takes & 1);
    ASSERT_EQ(dut.pm_count_o, pm);
    dut.mp_put_i = mp.size() < 2 && dice.chance(60);
    dut.mp_take_i = !mp.empty() && dice.chance(60);
    dut.pm_put_i = pm < 2 && dice.chance(60);
    dut.pm_take_i = pm > 0 && dice.chance(60);
    dut.mp_fill_i = dice.chance(30);
    dut.mp_entry_i = static_cast<CData>(dice.below(128));  // {empty, last, count}
    filled = (filled || dut.mp_fill_i) && !dut.mp_put_i;
    if (dut.mp_take_i) mp.pop_front();
    if (dut.mp_put_i) mp.push_back(dut.mp_entry_i);
    mp_puts += dut.mp_put_i, mp_takes += dut.mp_take_i;
    pm_puts += dut.pm_put_i, pm_takes += dut.pm_take_i;
    pm += unsigned{dut.pm_put_i} - unsigned{dut.pm_take_i};
    dut.clear_i = !(dut.mp_put_i | dut.mp_fill_i | dut.mp_take_i | dut.pm_put_i | dut.pm_take_i) && dice.chance(50);
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
