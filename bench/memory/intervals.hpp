/// Intervals of time, as in figure 2 of M. James, "Scaling Up and Out" (Cerebras, 2021).
#pragma once

#include <vector>

namespace weft::bench {

/// An interval in seconds.
struct Interval {
  double begin = 0, end = 0;
  int step = 0;  ///< training step to which the interval belongs

  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Merges the intervals of one step that are at most `gap` seconds apart; in order.
std::vector<Interval> joined(std::vector<Interval> intervals, double gap);

/// Seconds within `within` covered by any of the intervals.
double covered(std::vector<Interval> intervals, const Interval& within);

}  // namespace weft::bench
