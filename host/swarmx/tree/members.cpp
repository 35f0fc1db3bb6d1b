#include "host/swarmx/tree/members.hpp"

#include <algorithm>
#include <utility>

namespace weft::swarmx {

Members::Members(std::vector<std::string> names) : names_(std::move(names)) {}

std::uint32_t Members::reserve() {
  const std::lock_guard lock(mutex_);
  return next_++;
}

void Members::add(std::uint32_t member_id, const std::string& name, const std::string& host, const std::string& node) {
  const std::lock_guard lock(mutex_);
  if (!joined_.contains(name) && std::ranges::find(names_, name) == names_.end()) unexpected_.push_back(name);
  Record& record = joined_[name];
  const std::uint32_t losses = record.status.losses;
  record = {.member_id = member_id,
            .status = {.name = name,
                       .host = host,
                       .node = node,
                       .state = RankStatus::State::Here,
                       .since = std::chrono::system_clock::now(),
                       .losses = losses},
            .traffic = nullptr};
  connected_[member_id] = name;
}

void Members::connect(std::uint32_t member_id, std::shared_ptr<const Traffic> traffic) {
  const std::lock_guard lock(mutex_);
  Record& record = joined_.at(connected_.at(member_id));
  if (record.member_id == member_id) record.traffic = std::move(traffic);
}

void Members::set_traffic(const MemberTraffic& counts) {
  auto traffic = std::make_shared<Traffic>();
  traffic->frames_to = counts.frames_to, traffic->frames_from = counts.frames_from;
  traffic->bytes_to = counts.bytes_to, traffic->bytes_from = counts.bytes_from;
  traffic->load = counts.load;
  const std::lock_guard lock(mutex_);
  const auto there = connected_.find(static_cast<std::uint32_t>(counts.member_id));
  if (there == connected_.end()) return;
  Record& record = joined_.at(there->second);
  if (record.member_id == counts.member_id && !record.status.node.empty()) record.traffic = std::move(traffic);
}

void Members::set_leaving(std::uint32_t member_id, const std::string& why) {
  const std::lock_guard lock(mutex_);
  const auto at = connected_.find(member_id);
  if (at == connected_.end()) return;
  RankStatus& status = joined_.at(at->second).status;
  status.state = RankStatus::State::Leaving;
  status.why = why;
  status.since = std::chrono::system_clock::now();
}

void Members::mark_lost(std::uint32_t member_id, const std::string& why) {
  const std::lock_guard lock(mutex_);
  last_loss_ = why;
  const auto at = connected_.find(member_id);
  if (at == connected_.end()) return;
  Record& record = joined_.at(at->second);
  connected_.erase(at);
  ++record.status.losses;
  if (record.member_id != member_id) return;  // it has rejoined already
  record.status.state = RankStatus::State::Lost;
  record.status.why = why;
  record.status.since = std::chrono::system_clock::now();
}

bool Members::has(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto is_it = [&](const auto& there) { return there.second == name; };
  return std::ranges::any_of(connected_, is_it);
}

std::string Members::never_joined() const {
  const std::lock_guard lock(mutex_);
  std::string list;
  std::size_t missing = 0;
  for (const std::string& name : names_) {
    if (!joined_.contains(name) && missing++ < kMostNames) list += (list.empty() ? "" : ", ") + name;
  }
  return list + (missing > kMostNames ? " and " + std::to_string(missing - kMostNames) + " more" : "");
}

std::string Members::last_loss() const {
  const std::lock_guard lock(mutex_);
  return last_loss_;
}

std::vector<Members::Member> Members::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<Member> result;
  std::vector<std::string> more = unexpected_;
  std::ranges::sort(more, {}, [](const std::string& name) { return std::pair(name.size(), name); });
  std::vector<std::string> names = names_;
  names.insert(names.end(), more.begin(), more.end());
  for (const std::string& name : names) {
    const auto at = joined_.find(name);
    if (at == joined_.end()) {
      result.push_back({.member_id = 0, .status = {.name = name, .since = begin_}});
      continue;
    }
    Member& member = result.emplace_back(at->second.member_id, at->second.status);
    if (const Traffic* traffic = at->second.traffic.get()) {
      member.status.bytes_to = traffic->bytes_to.load(std::memory_order_relaxed);
      member.status.bytes_from = traffic->bytes_from.load(std::memory_order_relaxed);
      member.status.frames_to = traffic->frames_to.load(std::memory_order_relaxed);
      member.status.frames_from = traffic->frames_from.load(std::memory_order_relaxed);
      member.status.done = traffic->micro_batches.load(std::memory_order_relaxed);
      member.status.load = traffic->load_now();
    }
  }
  return result;
}

std::size_t Members::connected_count() const {
  const std::lock_guard lock(mutex_);
  return connected_.size();
}

}  // namespace weft::swarmx
