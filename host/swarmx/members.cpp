#include "host/swarmx/members.hpp"

#include <utility>

namespace weft {

Members::Members(std::vector<std::string> names) : names_(std::move(names)) {}

std::uint32_t Members::enter(const std::string& name) {
  const std::lock_guard lock(mutex_);
  came_.insert(name);
  there_[next_] = name;
  return next_++;
}

void Members::lose(std::uint32_t seat, const std::string& why) {
  const std::lock_guard lock(mutex_);
  there_.erase(seat);
  last_loss_ = why;
}

std::string Members::never_came() const {
  const std::lock_guard lock(mutex_);
  std::string list;
  std::size_t missing = 0;
  for (const std::string& name : names_) {
    if (!came_.contains(name) && missing++ < kMostNames) list += (list.empty() ? "" : ", ") + name;
  }
  return list + (missing > kMostNames ? " and " + std::to_string(missing - kMostNames) + " more" : "");
}

std::string Members::last_loss() const {
  const std::lock_guard lock(mutex_);
  return last_loss_;
}

std::size_t Members::there() const {
  const std::lock_guard lock(mutex_);
  return there_.size();
}

}  // namespace weft
