#include "bench/memory/intervals.hpp"

#include <algorithm>
#include <utility>

namespace weft::bench {
std::vector<Interval> joined(std::vector<Interval> intervals, double gap) {
  std::ranges::sort(intervals, {}, &Interval::begin);
  std::vector<Interval> result;
  for (const Interval& one : intervals) {
    if (!result.empty() && result.back().step == one.step && one.begin <= result.back().end + gap) {
      result.back().end = std::max(result.back().end, one.end);
    } else {
      result.push_back(one);
    }
  }
  return result;
}

double covered(std::vector<Interval> intervals, const Interval& within) {
  for (Interval& one : intervals) one.step = 0;
  double seconds = 0;
  for (const Interval& one : joined(std::move(intervals), 0))
    seconds += std::max(0.0, std::min(one.end, within.end) - std::max(one.begin, within.begin));
  return seconds;
}

}  // namespace weft::bench
