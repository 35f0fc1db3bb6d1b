/// vdot's lists: how a stream of indices falls into groups, at any pace of both sides.
#include <gtest/gtest.h>

#include <vector>

#include "Vpe_gather.h"
#include "tests/clock.hpp"
#include "tests/random.hpp"

namespace weft::test {
namespace {

using Group = std::vector<unsigned>;

/// Sends `indices` and a carriage return; the groups that come out, and whether each was called the last one.
std::vector<std::pair<Group, bool>> gather(Vpe_gather& dut, Dice& dice, const Group& indices) {
  dut.enable_i = dut.valid_i = dut.free_i = 0;
  dut.clear_i = 1;
  clock(dut);
  dut.clear_i = 0;
  dut.enable_i = 1;
  std::vector<std::pair<Group, bool>> groups;
  std::size_t sent = 0;  // indices.size() + 1: the carriage return, too
  for (int cycle = 0; cycle < 5000 && (groups.empty() || !groups.back().second); ++cycle) {
    dut.valid_i = sent <= indices.size() && dice.chance(70);
    dut.cr_i = sent == indices.size();
    dut.data_i = static_cast<SData>(sent < indices.size() ? indices[sent] : 0xffff);
    dut.free_i = 0;
    dut.eval();
    if (dut.valid_o && dice.chance(30)) {
      Group group;
      for (unsigned j = 0; j < dut.count_o; ++j) {
        dut.j_i = static_cast<CData>(j);
        dut.eval();
        group.push_back(dut.data_o);
      }
      groups.emplace_back(group, dut.last_o != 0);
      dut.free_i = 1;
    }
    dut.eval();
    if (dut.take_o) {
      EXPECT_TRUE(dut.valid_i);
      ++sent;
    }
    clock(dut);
    EXPECT_EQ(dut.gathered_o, sent > indices.size());
  }
  return groups;
}

TEST(Gather, FillsGroupsOfSixteenAndMarksTheLast) {
  Dice dice(test_seed());
  VerilatedContext context;
  Vpe_gather dut(&context);
  reset(dut);
  for (int trial = 0; trial < 300; ++trial) {
    const unsigned count = trial < 70 ? static_cast<unsigned>(trial) : dice.below(100);
    Group indices;
    for (unsigned n = 0; n < count; ++n) indices.push_back(dice.below(0x10000));
    const auto groups = gather(dut, dice, indices);
    ASSERT_EQ(groups.size(), count == 0 ? 1 : (count + 15) / 16) << count << " indices";
    Group all;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      EXPECT_EQ(groups[g].second, g + 1 == groups.size());
      EXPECT_TRUE(groups[g].second || groups[g].first.size() == 16u);
      all.insert(all.end(), groups[g].first.begin(), groups[g].first.end());
    }
    ASSERT_EQ(all, indices);
  }
}

}  // namespace
}  // namespace weft::test
