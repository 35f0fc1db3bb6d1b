/// Paces of members: which of them are late, slow, or to be disconnected.
#include <algorithm>
#include <utility>

#include "host/swarmx/tree/dispatch.hpp"

namespace weft::swarmx {

std::optional<Dispatch::Pace> Dispatch::usual(std::uint32_t member_id) const {
  std::vector<Duration> tails, wholes;
  for (const auto& [number, member] : members_) {
    if (number == member_id || !member.pace) continue;
    tails.push_back(member.pace->tail);
    wholes.push_back(member.pace->whole);
  }
  if (tails.empty()) return std::nullopt;
  const auto median = [](std::vector<Duration>& times) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
    std::ranges::nth_element(times, middle);
    return *middle;
  };
  return Pace{.tail = median(tails), .whole = median(wholes)};
}

/// A task that was queued without waiting for its member, such as a trial, has a long tail and is measured as a whole.
bool Dispatch::is_fast(const Pace& task, const Pace& usual) const {
  return task.tail <= usual.tail * options_.straggler || task.tail <= Duration(options_.shortest) / 10 ||
         task.whole <= usual.whole * options_.straggler;
}

/// Counts the time until now in which a member that has nothing to do waited for the slow task of another one.
void Dispatch::count_hold_ups(Time now) {
  const Time from = std::exchange(counted_, now);
  if (options_.straggler == 0 || now <= from) return;
  std::optional<Time> idle;  // since when a member waits
  for (auto& [number, member] : members_) {
    member.held_up = std::max(Duration{}, member.held_up - kForgiven * Duration(now - from));
    if (member.held_up == Duration{}) member.hold_ups = 0;
    if (member.idle && !is_left_out(member)) idle = std::min(idle.value_or(*member.idle), *member.idle);
  }
  if (!idle) return;
  for (auto& [number, member] : members_) {
    Open* const open = member.current();
    if (is_left_out(member) || open == nullptr || !open->streamed) continue;
    const Time since = std::max(open->since, *open->streamed);
    const Duration least = Duration(options_.shortest) / 10;
    if (now - since <= least) continue;
    const auto usual = this->usual(number);
    if (!usual) continue;
    const Duration allowed = std::max(least, usual->tail * options_.straggler);
    const Duration late = now - since - allowed;
    const Duration held = std::min<Duration>(late, now - std::max(from, *idle));
    if (held <= Duration{}) continue;
    member.held_up += held;
    if (!std::exchange(open->held_up, true)) ++member.hold_ups;
  }
}

bool Dispatch::holds_up(const Member& member, Time now) const {
  const bool again = was_slow(member, now);
  return member.held_up > Duration(options_.shortest) * (again ? 0.2 : 0.5) && member.hold_ups >= (again ? 1 : 2);
}

/// Notes that the member has done a task: it may become slow, or recover. A single slow task proves nothing: the root's
/// own machine may have been busy.
void Dispatch::judge(std::uint32_t member_id, Member& member, const Open& task, Time now) {
  const Pace took{.tail = now - std::max(task.since, task.streamed.value_or(now)), .whole = now - task.since};
  const auto mean = [](Duration before, Duration last) { return before * 0.75 + last * 0.25; };
  member.pace = member.pace ? Pace{mean(member.pace->tail, took.tail), mean(member.pace->whole, took.whole)} : took;
  const auto usual = this->usual(member_id);
  if (!usual || options_.straggler == 0) return;
  const bool fast = is_fast(took, *usual);
  if (!member.slow) {
    member.slow_tasks = fast ? 0 : member.slow_tasks + 1;
    if (member.slow_tasks >= (was_slow(member, now) ? 1 : kSlowTasks) || holds_up(member, now)) make_slow(member, now);
    return;
  }
  if (!fast) {
    member.slow->missing = 1U << member.relapses;
    member.slow->pause = std::min<Duration>(2 * member.slow->pause, kMostPause);
  } else if (--member.slow->missing == 0) {
    member.slow.reset();
    member.pace = took;
    member.recovered = now;
    return;
  }
  member.slow->next = now + std::chrono::duration_cast<Time::duration>(member.slow->pause);
}

void Dispatch::make_slow(Member& member, Time now) const {
  member.relapses = was_slow(member, now) ? std::min(member.relapses + 1, kMostRelapses) : 0;
  member.slow_tasks = member.hold_ups = 0;
  member.held_up = {};
  member.slow = {.missing = 1U << member.relapses, .pause = Duration(options_.shortest) / 4, .next = now, .since = now};
}

/// If all members are slow, none is left out.
bool Dispatch::is_left_out(const Member& member) const {
  if (member.late) return true;
  return member.slow && std::ranges::any_of(members_, [](const auto& entry) { return !entry.second.slow; });
}

bool Dispatch::is_left_out(std::uint32_t member_id) const {
  const auto at = members_.find(member_id);
  return at != members_.end() && is_left_out(at->second);
}

std::vector<std::uint32_t> Dispatch::take_stuck(Time now) {
  std::vector<std::uint32_t> result;
  if (options_.disconnect == options_.disconnect.zero()) return result;
  for (auto& [number, member] : members_) {
    if (!member.slow || !is_left_out(member)) continue;
    if ((trials_ || member.slow->returned) && now - member.slow->since <= options_.disconnect) continue;
    member.slow->since = now;
    member.slow->returned = true;
    result.push_back(number);
  }
  return result;
}

/// A task is late by itself, or with those before it, if the member has held up others.
bool Dispatch::is_late(std::uint32_t member_id, const Member& member, Time now) const {
  if (member.late) return true;
  const Open* open = member.current();
  if (open == nullptr || options_.straggler == 0 || !open->streamed) return false;
  if (open->held_up && holds_up(member, now)) return true;
  const Pace task{.tail = now - std::max(open->since, *open->streamed), .whole = now - open->since};
  if (task.tail <= options_.shortest) return false;
  const auto usual = this->usual(member_id);
  return usual && !is_fast(task, *usual);
}

void Dispatch::observe(std::uint32_t member_id, std::uint32_t busy, Time now) {
  const auto at = members_.find(member_id);
  if (at == members_.end()) return;
  Member& member = at->second;
  const Duration without = member.waits + (member.idle ? Duration(now - *member.idle) : Duration{});
  if (!member.report) member.report = {busy, without, now};
  const Duration with_task = Duration(now - member.report->at) - (without - member.report->without);
  if (with_task < kObserved) return;
  const std::uint32_t computed = busy - member.report->busy;
  member.busy = std::min(1.0, computed / (1000 * with_task.count()));
  member.report = {busy, without, now};
}

std::vector<std::uint32_t> Dispatch::take_late(Time now) {
  count_hold_ups(now);
  std::vector<std::uint32_t> result;
  for (auto& [number, member] : members_) {
    if (member.late || !is_late(number, member, now)) continue;
    member.late = true;
    if (!member.slow) make_slow(member, now);
    result.push_back(number);
  }
  return result;
}

}  // namespace weft::swarmx
