/// How large a gradient's groups are.
#include "sw/compiler/group_size.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(GroupSize, GroupsAreEvenAndFew) {
  for (int n = 0; n <= 16; ++n) EXPECT_GE(group_size({{n, 3}}, 17), n) << n << " indices fit into one group";
  EXPECT_EQ(group_size({{17, 1}}, 17), 9);
  EXPECT_EQ(group_size({{32, 1}}, 17), 16);
  EXPECT_EQ(group_size({{33, 1}}, 17), 11);
  EXPECT_EQ(group_size({{65, 1}}, 17), 13);
  for (int n = 17; n < 300; ++n) {
    const int full = group_size({{n, 1}}, 8), rest = n % full;
    EXPECT_TRUE(rest == 0 || rest >= 7 || full >= 14) << n << " in groups of " << full;
  }
}

TEST(GroupSize, TheOutputsThatAreManyDecide) {
  EXPECT_EQ(group_size({{16, 1000}, {17, 1}}, 16), 16);
  EXPECT_EQ(group_size({{16, 1}, {17, 1000}}, 16), 9);
}

}  // namespace
}  // namespace weft
