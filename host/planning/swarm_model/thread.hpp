/// Resources that do one thing after the other: a coroutine of a thread, a direction of a link.
#pragma once

#include <algorithm>
#include <deque>
#include <utility>

#include "host/planning/swarm_model/cores.hpp"

namespace weft::planning::swarm_model {

/// A coroutine of a thread: before each piece of its work it waits for what others of the thread have already added.
class Coroutine {
 public:
  /// `thread` must outlive this.
  explicit Coroutine(Thread& thread) : thread_(thread) {}
  Coroutine(Coroutine&&) = default;

  void add(double seconds, Then then) {
    work_.push_back({seconds, std::move(then)});
    if (work_.size() == 1) begin();
  }

 private:
  void begin() {
    thread_.add(work_.front().first, [this] {
      const Then then = std::move(work_.front().second);
      work_.pop_front();
      if (!work_.empty()) begin();
      then();
    });
  }
  Thread& thread_;
  std::deque<std::pair<double, Then>> work_;
};

class Line {
 public:
  /// `clock` must outlive this. `bandwidth`: bytes per second, above 0, may be infinite; `latency`: seconds from the
  /// departure of the last byte to its arrival.
  Line(Clock& clock, double bandwidth, double latency) : clock_(clock), bandwidth_(bandwidth), latency_(latency) {}

  void send(double bytes, Then arrived) {
    free_ = std::max(free_, clock_.now()) + bytes / bandwidth_;
    clock_.at(free_ + latency_, std::move(arrived));
  }

 private:
  Clock& clock_;
  double bandwidth_, latency_, free_ = 0;
};

}  // namespace weft::planning::swarm_model
