/// The picture has a line for each width and a point for each count.
#include "bench/figure5.hpp"

#include <gtest/gtest.h>

namespace weft::bench {
namespace {

int count(const std::string& text, const std::string& what) {
  int times = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++times;
  return times;
}

TEST(Figure5, HasALineForEachWidthAndAPointForEachCount) {
  const std::string svg = figure5_picture({{64, 0, 1, 1}, {64, 0.9, 1.5, 1.4}, {128, 0, 1, 0}, {128, 0.9, 10, 0}});
  EXPECT_EQ(count(svg, ">width 64</text>"), 1);
  EXPECT_EQ(count(svg, ">width 128</text>"), 1);
  EXPECT_EQ(count(svg, "<circle"), 2 + 1);  // and one in the legend
  EXPECT_EQ(count(svg, "M70.0 350.0L380.0 185.0\" fill"), 1) << "ten times at 90 %: the middle of both axes";
  EXPECT_EQ(count(svg, ">97.5 %</text>"), 1);
}

}  // namespace
}  // namespace weft::bench
