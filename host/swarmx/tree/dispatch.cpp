#include "host/swarmx/tree/dispatch.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace weft::swarmx {

void Dispatch::begin(std::uint32_t micro_batches) {
  ++step_;
  pending_.resize(micro_batches);
  std::iota(pending_.begin(), pending_.end(), 0U);
}

std::size_t Dispatch::holders(std::uint32_t micro_batch) const {
  std::size_t count = 0;
  for (const auto& [number, member] : members_) {
    count += static_cast<std::size_t>(std::ranges::count_if(
        member.open, [&](const Open& open) { return open.step == step_ && open.micro_batch == micro_batch; }));
  }
  return count;
}

/// Puts a micro-batch back into the queue, in order, unless it is complete or another member has it.
void Dispatch::requeue(std::uint32_t micro_batch, const Ledger& ledger) {
  if (ledger.complete(micro_batch) || holders(micro_batch) > 0) return;
  pending_.insert(std::ranges::lower_bound(pending_, micro_batch), micro_batch);
}

void Dispatch::remove_member(std::uint32_t number, const Ledger& ledger) {
  const auto at = members_.find(number);
  if (at == members_.end()) return;
  const std::deque<Open> open = std::move(at->second.open);
  left_[number] = {at->second.done, at->second.waits};
  if (left_.size() > kMostLeft) left_.erase(left_.begin());
  members_.erase(at);
  for (const Open& task : open) {
    if (task.step == step_) requeue(task.micro_batch, ledger);
  }
}

void Dispatch::ended(std::uint32_t pass, std::uint32_t micro_batch, Time now, const Ledger& ledger) {
  count_hold_ups(now);
  for (auto& [number, member] : members_) {
    const auto at = std::ranges::find_if(
        member.open, [&](const Open& open) { return open.pass == pass && open.micro_batch == micro_batch; });
    if (at == member.open.end()) continue;
    const Open done = *at;
    member.open.erase(at);
    ++member.done;
    if (!done.returned) judge(number, member, done, now);
    if (member.open.empty()) member.late = false, member.idle = now;
    if (!done.returned) member.start_current(now);
    if (done.step == step_) requeue(micro_batch, ledger);
    return;
  }
}

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
  member.slow = {.missing = 1U << member.relapses, .pause = Duration(options_.shortest) / 4, .next = now};
}

/// If all members are slow, none is left out.
bool Dispatch::is_left_out(const Member& member) const {
  if (member.late) return true;
  return member.slow && std::ranges::any_of(members_, [](const auto& entry) { return !entry.second.slow; });
}

void Dispatch::Member::start_current(Time now) {
  if (Open* const task = current()) task->since = std::max(task->since, now);
}

void Dispatch::returned(std::uint32_t member_id, std::uint32_t pass, Time now) {
  const auto at = members_.find(member_id);
  if (at == members_.end()) return;
  count_hold_ups(now);
  Member& member = at->second;
  const auto task = std::ranges::find_if(member.open, [&](const Open& open) { return open.pass == pass; });
  if (task == member.open.end() || task->returned) return;
  task->returned = true;
  judge(member_id, member, *task, now);
  member.start_current(now);
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

Dispatch::Work Dispatch::work(std::uint32_t number) const {
  Work work;
  if (const auto left = left_.find(number); left != left_.end())
    work.done = left->second.done, work.waits = left->second.waits;
  const auto at = members_.find(number);
  if (at == members_.end()) return work;
  const Member& member = at->second;
  work.done = member.done;
  work.slow = member.slow.has_value();
  if (member.pace) work.pace = member.pace->tail;
  if (const auto usual = this->usual(number)) work.usual = usual->tail;
  work.busy = member.busy;
  work.waits = member.waits;
  work.idle = member.idle;
  if (member.open.empty()) return work;
  const Open& open = member.current() != nullptr ? *member.current() : member.open.front();
  work.next = Task{number, open.micro_batch, false};
  work.over = open.step != step_;
  work.since = open.since;
  return work;
}

void Dispatch::Member::assign(const Open& task) {
  if (idle) waits += task.since - *idle;
  idle.reset();
  open.push_back(task);
}

void Dispatch::streamed(Time now) {
  for (auto& [number, member] : members_)
    for (Open& open : member.open)
      if (!open.streamed) open.streamed = now;
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

std::optional<std::vector<Task>> Dispatch::next(std::uint32_t pass, Time now, const Ledger& ledger) {
  std::erase_if(pending_, [&](std::uint32_t m) { return ledger.complete(m); });
  std::vector<Task> tasks = pending_.empty() ? backup_tasks(pass, now, ledger) : new_tasks(pass, now, ledger);
  if (tasks.empty() && pending_.empty()) tasks = trial_tasks(pass, now, ledger);
  if (tasks.empty()) return std::nullopt;
  return tasks;
}

/// Gives a micro-batch to each member that is not left out, once all of these have room for one.
std::vector<Task> Dispatch::new_tasks(std::uint32_t pass, Time now, const Ledger& ledger) {
  std::vector<Task> tasks;
  const auto ready = [this](const auto& entry) {
    return is_left_out(entry.second) || entry.second.open.size() < kPassesUnderWay;
  };
  if (!std::ranges::all_of(members_, ready)) return tasks;
  for (auto& [number, member] : members_) {
    if (pending_.empty()) break;
    if (is_left_out(member)) continue;
    const std::uint32_t micro_batch = pending_.front();
    pending_.pop_front();
    tasks.push_back({number, micro_batch, ledger.has_any(micro_batch)});
    member.assign({pass, micro_batch, step_, now});
  }
  return tasks;
}

/// Gives complete micro-batches to slow members that are due, each one of its own: their results are not used, but show
/// the members' pace. No step waits for them.
std::vector<Task> Dispatch::trial_tasks(std::uint32_t pass, Time now, const Ledger& ledger) {
  std::vector<Task> tasks;
  std::uint32_t micro_batch = 0;
  for (auto& [number, member] : members_) {
    if (!is_left_out(member) || member.late || !member.open.empty() || now < member.slow->next) continue;
    while (micro_batch < ledger.micro_batches() && !ledger.complete(micro_batch)) ++micro_batch;
    if (micro_batch == ledger.micro_batches()) break;
    tasks.push_back({number, micro_batch, true});
    member.assign({pass, micro_batch++, step_, now});
  }
  return tasks;
}

/// Gives the tasks of late members to idle members as well.
std::vector<Task> Dispatch::backup_tasks(std::uint32_t pass, Time now, const Ledger& ledger) {
  std::vector<std::uint32_t> wanted;
  for (const auto& [number, member] : members_) {
    if (!member.late) continue;
    for (const Open& open : member.open) {
      const bool mine = open.step == step_ && !ledger.complete(open.micro_batch) && holders(open.micro_batch) == 1;
      if (mine) wanted.push_back(open.micro_batch);
    }
  }
  std::ranges::sort(wanted);
  std::vector<Task> tasks;
  auto next = wanted.begin();
  for (auto& [number, member] : members_) {
    if (next == wanted.end()) break;
    if (is_left_out(member) || !member.open.empty()) continue;
    tasks.push_back({number, *next, true});
    member.assign({pass, *next, step_, now});
    ++next;
  }
  return tasks;
}

}  // namespace weft::swarmx
