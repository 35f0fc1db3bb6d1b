/// The vector unit of a row, which main and psum share: psum goes first.
#pragma once

#include <algorithm>
#include <deque>

namespace weft {

class VectorUnit {
 public:
  /// psum has `beats` between two times; they begin no earlier than those of the interval before.
  void psum(double from, double to, double beats) {
    if (to > from) busy_.push_back({from, to, std::min(1.0, beats / (to - from))});
  }

  /// When `beats` of main that may begin at `from` are done. Must not go back in time.
  double main(double from, double beats) {
    while (!busy_.empty() && busy_.front().to <= from) busy_.pop_front();
    for (const Interval& i : busy_) {
      if (from + beats <= i.from) break;
      if (from < i.from) beats -= i.from - from, from = i.from;
      const double free = (i.to - from) * (1 - i.density);
      if (beats <= 0) return from;
      if (beats <= free) return from + beats / (1 - i.density);
      beats -= free;
      from = i.to;
    }
    return from + beats;
  }

 private:
  struct Interval {
    double from, to, density;
  };
  std::deque<Interval> busy_;
};

}  // namespace weft
