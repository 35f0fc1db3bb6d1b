#include "host/swarmx/auth/rejected_peers.hpp"

#include "sw/base/refusal.hpp"

namespace weft::swarmx {

std::string RejectedPeers::summary(const std::string& why) { return one_line(why.substr(0, why.find(". HINT")), 300); }

void RejectedPeers::add(const std::string& why) {
  const std::lock_guard lock(mutex_);
  ++count_;
  last_ = summary(why);
}

std::string RejectedPeers::line(Time now) {
  if (now < next_) return {};
  std::string text = last_line();
  if (!text.empty()) next_ = now + kBetweenLines;
  return text;
}

std::string RejectedPeers::last_line() {
  const std::lock_guard lock(mutex_);
  const std::size_t news = count_ - reported_;
  reported_ = count_;
  if (news == 0) return {};
  return std::to_string(news) + (news == 1 ? " was" : " were") + " rejected, the last: " + last_;
}

}  // namespace weft::swarmx
