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

void Dispatch::Member::start_current(Time now) {
  if (Open* const task = current()) task->since = std::max(task->since, now);
}

void Dispatch::returned(std::uint32_t pass, std::uint32_t micro_batch, Time now) {
  count_hold_ups(now);
  for (auto& [number, member] : members_) {
    const auto task = std::ranges::find_if(
        member.open, [&](const Open& open) { return open.pass == pass && open.micro_batch == micro_batch; });
    if (task == member.open.end()) continue;
    if (std::exchange(task->returned, true)) return;
    judge(number, member, *task, now);
    member.start_current(now);
    return;
  }
}

void Dispatch::assigned(std::uint32_t pass, const std::vector<Task>& tasks, Time now) {
  for (const Task& task : tasks)
    if (const auto at = members_.find(task.member_id); at != members_.end())
      at->second.assign({pass, task.micro_batch, kParents, now});
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
  if (!trials_) return tasks;
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
