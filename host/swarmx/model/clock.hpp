/// Time in a simulated world. What happens at one moment happens in the order in which it was arranged.
#pragma once

#include <cstdint>
#include <functional>
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
    Then then;
  };
  static bool later(const Event& a, const Event& b) { return a.time != b.time ? a.time > b.time : a.number > b.number; }
  std::vector<Event> events_;  // a heap, the next in front
  std::uint64_t numbers_ = 0;
  double now_ = 0;
};

}  // namespace weft::swarm_model
