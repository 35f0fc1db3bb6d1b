/// When what came so many before was done: a queue's room, seen by who waits for it.
#pragma once

#include <cstddef>
#include <vector>

namespace weft {

/// Takes memory for what was pushed, not for its room: links of a long row hold more than a sample sends.
class Lag {
 public:
  /// `room`: above 0.
  explicit Lag(std::size_t room = 1) : room_(room) {}

  /// Of the push `room` before the next one; 0 where there was none.
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
