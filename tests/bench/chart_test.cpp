/// Positions in a chart.
#include "bench/chart.hpp"

#include <gtest/gtest.h>

namespace weft::bench {
namespace {

TEST(Chart, AnAxisIsLinearOrLogarithmic) {
  const Axis linear{.label = "", .first = 2, .last = 6, .ticks = {}};
  EXPECT_DOUBLE_EQ(linear.share(2), 0);
  EXPECT_DOUBLE_EQ(linear.share(3), 0.25);
  const Axis logarithmic{.label = "", .first = 1, .last = 100, .logarithmic = true, .ticks = {}};
  EXPECT_DOUBLE_EQ(logarithmic.share(10), 0.5);
  EXPECT_DOUBLE_EQ(logarithmic.share(100), 1);
}

TEST(Chart, HasEveryTickPointAndNameOfItsLegend) {
  const Axis axis{.label = "how many", .first = 1, .last = 4, .logarithmic = true, .ticks = {{1, "one"}, {2, "two"}}};
  Series points{.name = "", .color = "#123456", .at = {{2, 2}, {4, 4}}};
  const auto count = [](const std::string& text, const std::string& what) {
    int times = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++times;
    return times;
  };
  const std::string without = Chart{.x = axis, .y = axis, .series = {points}}.svg();
  EXPECT_EQ(count(without, ">two</text>"), 2);
  EXPECT_EQ(count(without, ">how many</text>"), 2);
  EXPECT_EQ(count(without, "<circle"), 2);
  EXPECT_EQ(count(without, "<circle cx=\"380.0\" cy=\"185.0\""), 1) << "the middle of both axes";
  points.name = "counted";
  const std::string with = Chart{.x = axis, .y = axis, .series = {points}}.svg();
  EXPECT_EQ(count(with, "<circle"), 3);
  EXPECT_EQ(count(with, ">counted</text>"), 1);
}

}  // namespace
}  // namespace weft::bench
