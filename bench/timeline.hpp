/// Rows of intervals over time, as in figure 2 of M. James, "Scaling Up and Out" (Cerebras, 2021).
#pragma once

#include <string>
#include <vector>

namespace weft::bench {

/// An interval in seconds.
struct Interval {
  double begin = 0, end = 0;
  int step = 0;  ///< selects the color

  friend bool operator==(const Interval&, const Interval&) = default;
};

struct Row {
  std::string name;
  std::vector<Interval> at;  ///< in any order
};

/// Merges the intervals of one step that are at most `gap` seconds apart; in order.
std::vector<Interval> joined(std::vector<Interval> intervals, double gap);

/// Seconds within `within` covered by any of the intervals.
double covered(std::vector<Interval> intervals, const Interval& within);

struct Timeline {
  std::vector<Row> rows;           ///< from top to bottom
  double first = 0, last = 1;      ///< range drawn, in seconds
  std::vector<std::string> steps;  ///< legend of the colors, from step 0 on; colors repeat

  std::string svg() const;
};

}  // namespace weft::bench
