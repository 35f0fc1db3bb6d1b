/// What does one thing after the other: a thread of a host, a direction of a link.
#pragma once

#include <algorithm>
#include <deque>
#include <utility>

#include "host/swarmx/model/cores.hpp"

namespace weft::swarm_model {

class Thread {
 public:
  /// `cores` must outlive this.
  explicit Thread(Cores& cores) : cores_(cores) {}
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  /// Works for so many seconds of a processor when all that was added before is done.
  void add(double seconds, Then then) {
    work_.push_back({seconds, std::move(then)});
    if (work_.size() == 1) begin();
  }

 private:
  void begin() {
    cores_.work(work_.front().first, [this] {
      const Then then = std::move(work_.front().second);
      work_.pop_front();
      if (!work_.empty()) begin();
      then();
    });
  }
  Cores& cores_;
  std::deque<std::pair<double, Then>> work_;  // in front what is done now
};

/// A coroutine of a thread: waits behind what others of the thread already want before each piece of its own.
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
  /// `clock` must outlive this. Bytes a second, above 0, may be infinite; seconds from the last byte's departure to its
  /// arrival.
  Line(Clock& clock, double bandwidth, double latency) : clock_(clock), bandwidth_(bandwidth), latency_(latency) {}

  void send(double bytes, Then arrived) {
    free_ = std::max(free_, clock_.now()) + bytes / bandwidth_;
    clock_.at(free_ + latency_, std::move(arrived));
  }

 private:
  Clock& clock_;
  double bandwidth_, latency_, free_ = 0;
};

}  // namespace weft::swarm_model
