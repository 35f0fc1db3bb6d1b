/// A node's slow children: those that others wait for, and wafers that its sums do not wait for.
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <utility>

#include "host/swarmx/protocol/payload.hpp"
#include "host/swarmx/protocol/slow_part.hpp"
#include "host/swarmx/tree/node_io.hpp"

namespace weft::swarmx {
namespace {

constexpr std::chrono::milliseconds kJudgeInterval{50};

}  // namespace

/// Charges the children that are too far behind with a wait, if another one has nothing to send any more.
void NodeIo::charge(const std::vector<std::size_t>& recipients, WaitAccount::Time from, WaitAccount::Time to) {
  const auto starves = [this](std::size_t number) {
    const auto at = children_.find(number);
    return at != children_.end() && at->second.frames == 0;
  };
  if (std::ranges::none_of(recipients, starves)) return;
  for (const std::size_t number : recipients) {
    const auto at = children_.find(number);
    if (at == children_.end() || !is_too_far_behind(at->second) || !at->second.link->remote()) continue;
    Child& child = at->second;
    child.waits.add(from, to);
    if (child.slow || !child.waits.is_exceeded(to)) continue;
    child.slow = true;
    child.link->close(fmt::format(
        "{} is {} MiB of frames behind, and others waited for it for more than {} of {}: it is held back when it joins "
        "again. HINT: check its network and machine.",
        child.name, child.bytes >> 20U, seconds(limits_.waits.most), seconds(limits_.waits.window)));
  }
}

void NodeIo::disconnect(std::uint32_t member_id, const std::string& why) {
  for (auto& [number, child] : children_) {
    if (child.member_ids != std::vector{member_id} || !child.link->remote() || child.slow) continue;
    child.slow = true;
    child.link->close(why);
  }
}

/// Notes the tasks of a pass. Returns the members with a task that are slow, which the parent may not know yet: no sum
/// waits for them.
std::vector<std::uint32_t> NodeIo::judge_frame(const Frame& frame) {
  const auto now = WaitAccount::Time::clock::now();
  if (frame.type == FrameType::End) judge_.streamed(now);
  std::vector<std::uint32_t> left_out;
  if (frame.type != FrameType::Begin) return left_out;
  const std::vector<Task> tasks = decode_pass(frame.bytes()).tasks;
  judge_.assigned(frame.pass, tasks, now);
  for (const Task& task : tasks)
    if (judge_.is_left_out(task.member_id)) left_out.push_back(task.member_id);
  return left_out;
}

/// Sends up the sums that wait for these members.
asio::awaitable<void> NodeIo::release(std::vector<std::uint32_t> member_ids) {
  if (member_ids.empty()) co_return;
  const auto lock = co_await up_mutex_.lock();
  for (Frame& sum : state_.release(member_ids)) co_await up_(std::move(sum));
}

asio::awaitable<void> NodeIo::judge_wafers() {
  using Clock = WaitAccount::Time::clock;
  const auto self = shared_from_this();
  for (asio::steady_timer timer(executor_); !stopped_;) {
    timer.expires_after(kJudgeInterval);
    co_await timer.async_wait(asio::use_awaitable);
    for (const MemberTraffic& of : traffic())
      if (const Load load = Load::decoded(of.load); load.known)
        judge_.observe(static_cast<std::uint32_t>(of.member_id), load.busy, Clock::now());
    co_await release(judge_.take_late(Clock::now()));
    for (const std::uint32_t member_id : judge_.take_stuck(Clock::now())) {
      const auto is_it = [&](const auto& entry) { return entry.second.member_ids == std::vector{member_id}; };
      if (const auto at = std::ranges::find_if(children_, is_it); at != children_.end())
        disconnect(member_id, slow_text(at->second, Clock::now()));
    }
  }
}

std::string NodeIo::slow_text(const Child& child, WaitAccount::Time now) {
  const Dispatch::Work work = judge_.work(child.member_ids.front());
  const Dispatch::Duration waited = work.next ? now - work.since : Dispatch::Duration{};
  const double usual = work.usual.value_or(Dispatch::Duration{}).count();
  return disconnect_text({.name = child.name,
                          .host = child.host,
                          .why = slow_part(child.link->traffic()->load_now(), work.busy,
                                           std::max(waited, work.pace.value_or(Dispatch::Duration{})).count(), usual)});
}

}  // namespace weft::swarmx
