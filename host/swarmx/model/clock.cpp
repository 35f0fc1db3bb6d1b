#include "host/swarmx/model/clock.hpp"

#include <algorithm>
#include <utility>

namespace weft::swarm_model {

void Clock::at(double time, Then then) {
  events_.push_back({std::max(time, now_), numbers_++, std::move(then)});
  std::ranges::push_heap(events_, later);
}

bool Clock::next() {
  if (events_.empty()) return false;
  std::ranges::pop_heap(events_, later);
  const Event event = std::move(events_.back());
  events_.pop_back();
  now_ = event.time;
  event.then();
  return true;
}

}  // namespace weft::swarm_model
