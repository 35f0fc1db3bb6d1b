/// Intervals, merged, summed and drawn.
#include "bench/timeline.hpp"

#include <gtest/gtest.h>

namespace weft::bench {
namespace {

TEST(Timeline, NeighboursOfOneStepAreOneInterval) {
  const std::vector<Interval> given = {{3, 4, 1}, {0, 1, 0}, {1.05, 2, 0}, {2, 3, 1}};
  EXPECT_EQ(joined(given, 0.1), (std::vector<Interval>{{0, 2, 0}, {2, 4, 1}}));
  EXPECT_EQ(joined(given, 0).size(), 3U);
}

TEST(Timeline, WhatIsCoveredCountsOnce) {
  EXPECT_DOUBLE_EQ(covered({{0, 2, 0}, {1, 3, 1}, {5, 6, 0}}, {0.5, 5.5, 0}), 3);
  EXPECT_DOUBLE_EQ(covered({{0, 1, 0}}, {2, 3, 0}), 0);
}

TEST(Timeline, DrawsEachRowWhereItsTimeIs) {
  const Timeline timeline{.rows = {{"wafer", {{1, 2, 0}}}, {"update", {{2, 3, 1}, {9, 10, 0}}}},
                          .first = 1,
                          .last = 3,
                          .steps = {"step 1"}};
  const std::string svg = timeline.svg();
  EXPECT_NE(svg.find(">wafer</text>"), std::string::npos);
  EXPECT_NE(svg.find(">step 1</text>"), std::string::npos);
  EXPECT_NE(svg.find("<rect x=\"90.00\" y=\"52.0\" width=\"305.00\" height=\"28\" fill=\"#0b62a4\"/>"),
            std::string::npos);
  EXPECT_NE(svg.find("<rect x=\"395.00\" y=\"96.0\" width=\"305.00\" height=\"28\" fill=\"#d99a2b\"/>"),
            std::string::npos);
  EXPECT_EQ(svg.find("NaN"), std::string::npos);
}

}  // namespace
}  // namespace weft::bench
