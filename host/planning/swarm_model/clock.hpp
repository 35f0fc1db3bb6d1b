/// Simulated time. Events of one moment happen in the order in which they were scheduled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

namespace weft::planning::swarm_model {

using Then = std::function<void()>;

class Clock {
 public:
  double now() const { return now_; }  ///< seconds
  /// Schedules `then` for `time`, or for now if that has passed.
  void at(double time, Then then);
  void after(double seconds, Then then) { at(now_ + seconds, std::move(then)); }
  /// Runs the next event; returns false if there is none.
  bool next();

 private:
  struct Event {
    double time;
    std::uint64_t number;
    std::size_t then;  // index into thens_
  };
  static bool later(const Event& a, const Event& b) { return a.time != b.time ? a.time > b.time : a.number > b.number; }
  std::vector<Event> events_;      // a heap, the next event in front
  std::vector<Then> thens_;        // separate, so that the heap moves small elements
  std::vector<std::size_t> free_;  // unused indices of thens_
  std::deque<Then> at_once_;       // scheduled for the present moment: after those in events_
  std::uint64_t numbers_ = 0;
  double now_ = 0;
};

}  // namespace weft::planning::swarm_model
