#include "host/planning/swarm_model/clock.hpp"

#include <algorithm>
#include <utility>

namespace weft::planning::swarm_model {

void Clock::at(double time, Then then) {
  if (time <= now_) return at_once_.push_back(std::move(then));
  if (free_.empty()) {
    free_.push_back(thens_.size());
    thens_.emplace_back();
  }
  thens_[free_.back()] = std::move(then);
  events_.push_back({time, numbers_++, free_.back()});
  free_.pop_back();
  std::ranges::push_heap(events_, later);
}

bool Clock::next() {
  if (!at_once_.empty() && (events_.empty() || events_.front().time > now_)) {
    const Then then = std::move(at_once_.front());
    at_once_.pop_front();
    then();
    return true;
  }
  if (events_.empty()) return false;
  std::ranges::pop_heap(events_, later);
  const Event event = events_.back();
  events_.pop_back();
  now_ = event.time;
  const Then then = std::exchange(thens_[event.then], nullptr);
  free_.push_back(event.then);
  then();
  return true;
}

}  // namespace weft::planning::swarm_model
