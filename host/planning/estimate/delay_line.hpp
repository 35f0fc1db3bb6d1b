/// Delay line: time of the event `room` events ago. Models the capacity of a queue as its producer sees it.
#pragma once

#include <cstddef>
#include <vector>

namespace weft {

/// Allocates for the events pushed, not for `room`: the links of a long row hold more than a sample sends.
class DelayLine {
 public:
  /// `room` must be above 0.
  explicit DelayLine(std::size_t room = 1) : room_(room) {}

  /// Time of the push `room` pushes ago; 0 if there was none.
  double oldest() const { return times_.size() < room_ ? 0 : times_[next_]; }
  void push(double time) {
    if (times_.size() < room_) return times_.push_back(time);
    times_[next_] = time;
    next_ = next_ + 1 == room_ ? 0 : next_ + 1;
  }

 private:
  std::size_t room_, next_ = 0;
  std::vector<double> times_;
};

}  // namespace weft
