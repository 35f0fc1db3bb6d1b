/// Rows of intervals over time, as text 002's figure 2 has them.
#pragma once

#include <string>
#include <vector>

namespace weft::bench {

/// Seconds.
struct Interval {
  double begin = 0, end = 0;
  int step = 0;  ///< chooses the color

  friend bool operator==(const Interval&, const Interval&) = default;
};

struct Row {
  std::string name;
  std::vector<Interval> at;  ///< in any order
};

/// Of one step, in order; those with no more than `gap` seconds between them are one.
std::vector<Interval> joined(std::vector<Interval> intervals, double gap);

/// Seconds that lie in any of the intervals and in `within`.
double covered(std::vector<Interval> intervals, const Interval& within);

struct Timeline {
  std::vector<Row> rows;           ///< from above
  double first = 0, last = 1;      ///< seconds that are drawn
  std::vector<std::string> steps;  ///< what the colors are called, that of step 0 first; of more they repeat

  std::string svg() const;
};

}  // namespace weft::bench
