/// Size of a gradient's groups.
#include "sw/compiler/stream/group_size.hpp"

#include <gtest/gtest.h>

namespace weft::compiler {
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

/// Compares 128 outputs of 8 indices per row with 32 of 32; and the same where a row has too few indices in both cases.
TEST(GradientBeats, AreFewerOfFewOutputsWithManyIndices) {
  EXPECT_EQ(gradient_beats({{8, 128}}, 8), 128 * (8 + 8 * 8 + 6));
  EXPECT_EQ(gradient_beats({{32, 32}}, 8), 32 * (8 + 2 * (16 * 8 + 6)));
  EXPECT_EQ(gradient_beats({{1, 128}}, 8), 128 * (8 + 7 * 8 + 6));
  EXPECT_EQ(gradient_beats({{4, 32}}, 8), 32 * (8 + 7 * 8 + 6));
  EXPECT_EQ(gradient_beats({{0, 5}, {1, 1}}, 8), 5 * 8 + 8 + 7 * 8 + 6) << "an output of no index has its vector";
}

}  // namespace
}  // namespace weft::compiler
