#include "host/swarmx/members.hpp"

#include <utility>

namespace weft {

Members::Members(std::vector<std::string> names) : names_(std::move(names)) {}

std::optional<std::uint32_t> Members::enter(const std::string& name) {
  const std::lock_guard lock(mutex_);
  if (!there_.insert(name).second) return std::nullopt;
  came_.insert(name);
  return next_++;
}

void Members::lose(const std::string& name, const std::string& why) {
  const std::lock_guard lock(mutex_);
  there_.erase(name);
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
