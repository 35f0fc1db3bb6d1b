#include "host/swarmx/memory/ranks.hpp"

#include <algorithm>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/payload.hpp"

namespace weft::swarmx {
namespace {

constexpr std::chrono::milliseconds kCheckInterval{100};  // interval of the checks whether to give up

}  // namespace

void MemoryRanks::send(std::size_t number, Frame frame) {
  {
    const std::lock_guard lock(waiting_.mutex);
    paces_.sent(number, frame, std::chrono::steady_clock::now());
  }
  ranks_[number]->outbox.push(std::move(frame));
}

void MemoryRanks::send(RanksState::Out out) {
  for (auto& [number, frame] : out) send(number, std::move(frame));
}

void MemoryRanks::send_numbers(std::size_t number, Frame frame) {
  when([&] { return state_.take_credit(number); }, [] {});
  send(number, std::move(frame));
}

bool MemoryRanks::reserve(std::size_t number) {
  const std::lock_guard lock(waiting_.mutex);
  return state_.reserve(number);
}

void MemoryRanks::set_joined(std::size_t number) {
  const std::lock_guard lock(waiting_.mutex);
  state_.set_joined(number);
  waiting_.notify();
}

void MemoryRanks::handle_frame(std::size_t number, Frame frame) {
  const std::lock_guard lock(waiting_.mutex);
  paces_.received(number, frame, std::chrono::steady_clock::now());
  state_.handle_frame(number, std::move(frame));
  waiting_.notify();
}

std::string MemoryRanks::left_by() const {
  const std::lock_guard lock(waiting_.mutex);
  return left_by_;
}

void MemoryRanks::note_leave_request(std::size_t number, std::uint32_t member_id, const std::string& who) {
  const std::string why = when([] { return true; }, [&] { return state_.leave_reason(number); });
  members_.set_leaving(member_id, why);
  {
    const std::lock_guard lock(waiting_.mutex);
    if (left_by_.empty()) left_by_ = who + " (" + why + ")";
    waiting_.notify();
  }
  if (options_.say)
    options_.say(who + " was asked to end (" + why + "): the run ends after this step and a checkpoint");
  if (options_.on_leave_request) options_.on_leave_request();
}

/// Waits until all are there, but not beyond `end`; returns whether they are.
bool MemoryRanks::wait_until(std::unique_lock<std::mutex>& lock, std::chrono::steady_clock::time_point end) {
  for (;;) {
    const auto now = std::chrono::steady_clock::now();
    if (waiting_.until(lock, std::min(end, now + kCheckInterval),
                       [this] { return state_.all_joined() || !left_by_.empty(); }))
      break;
    if (options_.leave && options_.leave()) throw WaitEnded("no longer waiting for ranks of MemoryX");
    if (now >= end) return false;
  }
  if (state_.all_joined()) return true;
  throw MemoryLeaves("swarmx MemoryX: " + left_by_ +
                     " was asked to end before the run began. HINT: the same command starts it.");
}

void MemoryRanks::wait_for_ranks() {
  const StepClock::In waits(options_.clock.get(), Part::Wait);
  {
    std::unique_lock lock(waiting_.mutex);
    const auto begin = std::chrono::steady_clock::now(), end = begin + options_.timeout;
    if (wait_until(lock, std::min(end, begin + kQuiet))) return;
    lock.unlock();
    if (options_.say && options_.timeout > kQuiet)
      options_.say("waits for " + members_.never_joined() + ", at most " + seconds(options_.timeout - kQuiet) +
                   ". HINT: check that the rank was started.");
    lock.lock();
    if (wait_until(lock, end)) return;
  }
  const std::size_t rejected = listener_->rejected_peers().count();
  throw PeerLost("swarmx MemoryX: " + members_.never_joined() + " did not connect within " + seconds(options_.timeout) +
                 (rejected == 0 ? "" : "; " + std::to_string(rejected) + " others were rejected") +
                 ". HINT: check why the rank did not start.");
}

void MemoryRanks::begin_step(const memoryx::UpcomingStep& upcoming) {
  send(when([] { return true; }, [&] { return state_.begin_step(upcoming); }));
}

void MemoryRanks::add(std::size_t op, std::size_t first, std::span<const std::int64_t> values) {
  try {
    const Frame frame = state_.gradient_frame(op, first, values);
    for (const std::size_t number : state_.gradient_ranks(op)) send_numbers(number, frame);
  } catch (...) {  // not the contributor's fault: the swarm learns of it through report_failures_to()
    if (!failure_.happened()) throw;
  }
}

memoryx::Applied MemoryRanks::apply(std::uint64_t step, std::uint64_t tokens) {
  send(when([] { return true; }, [&] { return state_.request_norms(step, tokens); }));
  const memoryx::Applied applied =
      when([&] { return state_.norms_arrived(); }, [&] { return state_.update_factors(step); });
  send(when([] { return true; }, [&] { return state_.apply(step, tokens, applied); }));
  return applied;
}

bool MemoryRanks::update_finished() const noexcept {
  const std::lock_guard lock(waiting_.mutex);
  return state_.update_complete();
}

memoryx::UpdateResult MemoryRanks::finish_update() {
  return when([&] { return state_.update_complete(); }, [&] { return state_.update_result(); });
}

bool MemoryRanks::is_consistent() const {
  try {
    when([&] { return !state_.update_pending(); }, [] {});
  } catch (...) {  // thrown by the next call that needs the state
    return false;
  }
  return true;
}

void MemoryRanks::frames(std::size_t op, std::optional<std::size_t> next, StepClock* /*clock*/, const Send& to) {
  if (plan_.ops[op].tensors.empty()) return frames_.make(op, std::vector<float>(), to);
  send(when([] { return true; }, [&] { return state_.request_op(op, next); }));
  for (;;) {
    RanksState::Out more;
    auto frame = when([&] { return state_.has_op_frame(); }, [&] { return state_.next_op_frame(more); });
    if (!frame) return;
    send(std::move(more));
    to(std::move(*frame));
  }
}

void MemoryRanks::load(const Read& read) {
  wait_for_ranks();
  when([] { return true; }, [&] { state_.begin_load(); });
  for (std::size_t number = 0; number < ranks_.size(); ++number) {
    for (const RanksState::StateChunk& chunk :
         read ? state_.state_chunks(number) : std::vector<RanksState::StateChunk>()) {
      std::vector<float> values(chunk.count);
      read(chunk.vector, chunk.first, values);
      send_numbers(number, RanksState::state_frame(chunk, values));
    }
    send(number, {.type = FrameType::End});
  }
  finish_update();
}

/// Takes the chunks in a thread of its own, as fast as they can be written; ranks wait for it where they must.
std::shared_ptr<memoryx::Snapshot> MemoryRanks::snapshot(memoryx::MemoryX::Take take, std::function<void()> end) {
  RanksState::Out asks;
  const std::uint32_t request =
      when([&] { return state_.update_complete(); }, [&] { return state_.request_snapshot(asks); });
  send(std::move(asks));
  const auto all = [this, request, take = std::move(take)](std::size_t /*shard*/) { take_chunks(request, take); };
  return std::make_shared<memoryx::Snapshot>(std::vector<std::size_t>{0}, all, std::move(end));
}

/// Requests chunks even if they cannot be written: ranks wait until each is taken.
void MemoryRanks::take_chunks(std::uint32_t request, const memoryx::MemoryX::Take& take) {
  FirstFailure writing;
  for (;;) {
    RanksState::Out more;
    const auto taken =
        when([&] { return state_.has_chunk(request); }, [&] { return state_.next_chunk(request, more); });
    if (!taken) break;
    if (!taken->twice && !writing.happened())
      writing.guard(
          [&] { take(taken->chunk.vector, taken->chunk.first, decode_numbers<float>(taken->frame.bytes())); });
    send(std::move(more));
  }
  writing.check();
}

}  // namespace weft::swarmx
