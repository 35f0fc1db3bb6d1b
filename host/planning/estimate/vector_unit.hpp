/// Vector unit of a row, shared by main and psum. psum has priority.
#pragma once

#include <algorithm>
#include <deque>

namespace weft::planning {

class VectorUnit {
 public:
  /// Reserves `beats` beats for psum between two times, which must not be before those of the previous call.
  void psum(double from, double to, double beats) {
    if (to > from) busy_.push_back({from, to, std::min(1.0, beats / (to - from))});
  }

  /// Time at which `beats` beats of main are done if they may begin at `from`, at most `rate` per cycle (above 0).
  /// `from` must not decrease.
  double main(double from, double beats, double rate = 1) {
    while (!busy_.empty() && busy_.front().to <= from) busy_.pop_front();
    for (const Interval& i : busy_) {
      if (from + beats / rate <= i.from) break;
      if (from < i.from) beats -= (i.from - from) * rate, from = i.from;
      const double beside = std::min(rate, 1 - i.density), free = (i.to - from) * beside;
      if (beats <= 0) return from;
      if (beats <= free) return from + beats / beside;
      beats -= free;
      from = i.to;
    }
    return from + beats / rate;
  }

 private:
  struct Interval {
    double from, to, density;
  };
  std::deque<Interval> busy_;
};

}  // namespace weft::planning
