/// Intervals, merged and summed.
#include "bench/memory/intervals.hpp"

#include <gtest/gtest.h>

namespace weft::bench {
namespace {

TEST(Intervals, AdjacentOnesOfOneStepAreMerged) {
  const std::vector<Interval> given = {{3, 4, 1}, {0, 1, 0}, {1.05, 2, 0}, {2, 3, 1}};
  EXPECT_EQ(joined(given, 0.1), (std::vector<Interval>{{0, 2, 0}, {2, 4, 1}}));
  EXPECT_EQ(joined(given, 0).size(), 3U);
}

TEST(Intervals, CoveredTimeCountsOnce) {
  EXPECT_DOUBLE_EQ(covered({{0, 2, 0}, {1, 3, 1}, {5, 6, 0}}, {0.5, 5.5, 0}), 3);
  EXPECT_DOUBLE_EQ(covered({{0, 1, 0}}, {2, 3, 0}), 0);
}

}  // namespace
}  // namespace weft::bench
