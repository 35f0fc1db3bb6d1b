/// Time in a simulated world. What happens at one moment happens in the order in which it was arranged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

namespace weft::swarm_model {

using Then = std::function<void()>;

class Clock {
 public:
  double now() const { return now_; }  ///< seconds
  /// Not before now.
  void at(double time, Then then);
  void after(double seconds, Then then) { at(now_ + seconds, std::move(then)); }
  /// Goes on to what comes next; false: nothing does.
  bool next();

 private:
  struct Event {
    double time;
    std::uint64_t number;
    std::size_t then;  // its place in thens_
  };
  static bool later(const Event& a, const Event& b) { return a.time != b.time ? a.time > b.time : a.number > b.number; }
  std::vector<Event> events_;      // a heap, the next in front
  std::vector<Then> thens_;        // so that the heap moves what is small
  std::vector<std::size_t> free_;  // places in thens_
  std::deque<Then> at_once_;       // of this moment, arranged in it: behind all of events_ that are of it
  std::uint64_t numbers_ = 0;
  double now_ = 0;
};

}  // namespace weft::swarm_model
