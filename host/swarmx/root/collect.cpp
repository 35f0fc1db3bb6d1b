#include "host/swarmx/root/collect.hpp"

#include <algorithm>
#include <utility>

#include "host/swarmx/base/error.hpp"

namespace weft::swarmx {
namespace {

constexpr std::chrono::milliseconds kTick{50};  // interval of the checks for late members and for `leave`

/// Records since when next() has been waiting, while this lives.
class Idle {
 public:
  using Since = std::optional<std::chrono::steady_clock::time_point>;
  explicit Idle(Since& since) : since_(since) { since_ = std::chrono::steady_clock::now(); }
  ~Idle() { since_.reset(); }
  Idle(const Idle&) = delete;
  Idle& operator=(const Idle&) = delete;

 private:
  Since& since_;
};

}  // namespace

void Collect::join(std::uint32_t member_id) {
  const std::lock_guard lock(waiting_.mutex);
  root_.join(member_id);
  waiting_.notify();
}

void Collect::begin(std::uint64_t step, bool train, std::uint32_t micro_batches, MemoryXClient* memory) {
  std::unique_lock lock(waiting_.mutex);
  waiting_.until(lock, [] { return true; });
  memory_ = memory;
  root_.begin(step, train, micro_batches);
}

void Collect::end() noexcept {
  std::unique_lock lock(waiting_.mutex);
  memory_ = nullptr;
  added_.wait(lock, [this] { return !adding_; });
}

std::optional<Collect::Pending> Collect::take(const Frame& frame) {
  const Clock::time_point begin = Clock::now();
  const std::lock_guard lock(waiting_.mutex);
  std::optional<Contribution> used = root_.handle(frame, begin);
  // memory_ is null if the step has failed: its remaining contributions are dropped
  if (used && frame.type == FrameType::Gradient && memory_ != nullptr) {
    adding_ = true;
    taken_ = begin;
    return std::optional<Pending>(std::in_place, *this, *memory_, frame, std::move(*used));
  }
  reduced(begin);
  notify_after(frame);
  return std::nullopt;
}

void Collect::returned(std::uint32_t pass, std::span<const std::uint32_t> micro_batches) {
  const std::lock_guard lock(waiting_.mutex);
  root_.returned(pass, micro_batches, Clock::now());
}

void Collect::set_trials(bool trials) {
  const std::lock_guard lock(waiting_.mutex);
  root_.set_trials(trials);
}

/// Disconnects slow members without the lock, which the callback needs to describe them.
void Collect::disconnect(std::unique_lock<std::mutex>& lock) {
  if (!options_.disconnect || root_.member_count() <= options_.min_wafers) return;
  std::vector<std::uint32_t> member_ids = root_.take_stuck(Clock::now());
  if (member_ids.empty()) return;
  const std::size_t most = root_.member_count() - options_.min_wafers;
  member_ids.resize(std::min(member_ids.size(), most));
  lock.unlock();
  std::ranges::for_each(member_ids, options_.disconnect);
  lock.lock();
}

/// Notes that a gradient was added, or cannot be.
void Collect::added() noexcept {
  const std::lock_guard lock(waiting_.mutex);
  adding_ = false;
  added_.notify_all();
  reduced(taken_);
  if (root_.complete()) waiting_.notify();
}

/// Counts the time since `begin` in which next() waited as reduction time.
void Collect::reduced(Clock::time_point begin) noexcept {
  if (idle_) reduced_ += Clock::now() - std::max(begin, *idle_);
}

StepClock::Duration Collect::take_reduced() {
  const std::lock_guard lock(waiting_.mutex);
  return std::exchange(reduced_, {});
}

void Collect::add_activity(std::span<Members::Member> members, bool early) {
  const std::lock_guard lock(waiting_.mutex);
  const Clock::time_point now = Clock::now();
  for (Members::Member& member : members) {
    if (member.status.state != RankStatus::State::NotYet)
      root_.add_activity(member.member_id, member.status, now, early);
  }
}

/// Notifies only after frames that may change the result of next(); otherwise every frame would wake its caller.
void Collect::notify_after(const Frame& frame) noexcept {
  const bool membership = frame.type == FrameType::Left || frame.type == FrameType::Came;
  if (membership || frame.type == FrameType::Stats || root_.complete()) waiting_.notify();
}

std::optional<Root::Next> Collect::next() {
  std::unique_lock lock(waiting_.mutex);
  const Idle idle(idle_);
  std::optional<Root::Next> next;
  const auto something = [&] {
    next.reset();
    return done() || root_.member_count() < options_.min_wafers || (next = root_.next(Clock::now())).has_value();
  };
  for (;;) {
    wait_for_wafers(lock);
    disconnect(lock);
    if (options_.dispatch.straggler == 0) {
      waiting_.until(lock, something);
    } else {
      waiting_.until(lock, Clock::now() + kTick, something);
    }
    if (next || done()) return next;
  }
}

/// Waits for all wafers the first time, later for min_wafers. A complete step needs none, even if its last wafer is
/// lost right after its last contribution. A wait shorter than kQuiet is not worth a log line.
void Collect::wait_for_wafers(std::unique_lock<std::mutex>& lock) {
  const std::size_t wanted = std::exchange(all_joined_, true) ? options_.min_wafers : options_.wafers;
  const auto here = [&] { return done() || root_.member_count() >= wanted; };
  if (here()) return;
  const StepClock::In waits(options_.clock, Part::Wait);
  const Clock::time_point begin = Clock::now(), end = begin + options_.timeout;
  const auto came = [&](Clock::time_point until) {
    while (!waiting_.until(lock, std::min(until, Clock::now() + kTick), here)) {
      if (options_.leave && options_.leave()) throw WaitEnded("no longer waiting for wafers");
      if (Clock::now() >= until) return false;
    }
    return true;
  };
  if (came(std::min(end, begin + kQuiet))) return;
  if (options_.timeout > kQuiet) {
    say_waits(lock, options_.timeout - kQuiet);
    if (came(end)) return;
  }
  if (root_.member_count() < options_.min_wafers) throw PeerLost(too_few_());
  say_waits(lock, std::nullopt);
}

/// Calls `waits` without the lock, so that a blocked console holds up only the calling thread.
void Collect::say_waits(std::unique_lock<std::mutex>& lock, std::optional<std::chrono::milliseconds> most) {
  if (!options_.waits) return;
  lock.unlock();
  options_.waits(most);
  lock.lock();
}

Collected Collect::sum() const {
  const std::lock_guard lock(waiting_.mutex);
  return root_.sum();
}

}  // namespace weft::swarmx
