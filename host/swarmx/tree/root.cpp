#include "host/swarmx/tree/root.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/slow_part.hpp"

namespace weft::swarmx {
namespace {

const std::string kSender = "the tree";
constexpr double kCauseWithin = 3;  // seconds of a task

}  // namespace

void Root::begin(std::uint64_t step, bool train, std::uint32_t micro_batches) {
  step_ = step;
  train_ = train;
  first_ = next_pass_;
  sum_ = {};
  cycles_.clear();
  ledger_.begin(micro_batches, (train ? training_ : evaluation_).buckets().size());
  dispatch_.begin(micro_batches);
}

std::optional<Root::Next> Root::next(Time now) {
  dispatch_.streamed(now);  // the caller has sent all tasks before it asks again
  if (std::vector<std::uint32_t> late = dispatch_.take_late(now); !late.empty()) return Next{.late = std::move(late)};
  auto tasks = dispatch_.next(next_pass_, now, ledger_);
  if (!tasks) return std::nullopt;
  ++sum_.passes;
  return Next{.pass = next_pass_++, .tasks = std::move(*tasks)};
}

std::optional<Contribution> Root::handle(const Frame& frame, Time now) {
  if (frame.type == FrameType::Left) {
    for (const std::uint32_t member_id : decode_member_ids(frame.bytes())) dispatch_.remove_member(member_id, ledger_);
    return std::nullopt;
  }
  if (frame.type == FrameType::Came) {
    for (const std::uint32_t member_id : decode_member_ids(frame.bytes())) dispatch_.join(member_id);
    return std::nullopt;
  }
  if (frame.pass >= next_pass_) broken(kSender, "contributed to a pass that was not requested");
  if (frame.step != step_ || frame.pass < first_) {  // the frame belongs to a completed step
    if (frame.type == FrameType::Stats) {
      sum_.repeated += frame.contains;
      ended(frame, decode_contribution(frame), now);
    }
    return std::nullopt;
  }
  const PassReturns& planned = train_ ? training_ : evaluation_;
  const std::size_t bucket = planned.find(frame, kSender);
  Contribution contribution = planned.read(bucket, frame, kSender);
  if (contribution.micro_batches.back() >= ledger_.micro_batches()) {
    broken(kSender, "contributed micro-batches that are not part of the step");
  }
  const bool used = record(ledger_, contribution, bucket) == Ledger::Entry::New;
  if (used) count(frame, contribution.values, planned.buckets()[bucket].loss);
  if (frame.type == FrameType::Stats) {
    sum_.repeated += used ? 0 : frame.contains;
    ended(frame, contribution, now);
  }
  if (!used) return std::nullopt;
  return contribution;
}

void Root::count(const Frame& frame, std::span<const std::int64_t> values, std::size_t loss) {
  const auto add = [](std::uint64_t& sum, std::int64_t value) { sum += static_cast<std::uint64_t>(value); };
  if (frame.type == FrameType::Loss) {
    if (sum_.losses.size() <= loss) sum_.losses.resize(loss + 1);
    if (__builtin_add_overflow(sum_.losses[loss].sum, values[kLossSum], &sum_.losses[loss].sum)) {
      throw LossNotFinite("the loss of the global batch overflows. HINT: use a lower learning rate.");
    }
    sum_.losses[loss].tokens += values[kLossTokens];
  } else if (frame.type == FrameType::Stats) {
    std::uint64_t& cycles = cycles_[frame.pass];
    cycles = std::max(cycles, static_cast<std::uint64_t>(values[kStatsCycles]));
    add(sum_.fma_lanes, values[kStatsFmaLanes]);
    add(sum_.beats, values[kStatsBeats]);
    add(sum_.edge_messages, values[kStatsEdgeMessages]);
  }
}

/// Marks the tasks of a Stats frame as done.
void Root::ended(const Frame& frame, const Contribution& contribution, Time now) {
  for (const std::uint32_t micro_batch : contribution.micro_batches) {
    dispatch_.ended(frame.pass, micro_batch, now, ledger_);
  }
}

void Root::add_activity(std::uint32_t member_id, RankStatus& status, Time now, bool early) {
  if (status.load.known) dispatch_.observe(member_id, status.load.busy, now);
  const Dispatch::Work work = dispatch_.work(member_id);
  status.done = work.done;
  status.waits = work.waits.count();
  if (work.idle) status.waits += std::chrono::duration<double>(now - *work.idle).count();
  if (status.state != RankStatus::State::Here) return;
  if (work.next) {
    status.doing = Doing{.step = work.over ? 0 : step_ + 1, .micro_batch = work.next->micro_batch, .train = train_};
    status.waited = std::chrono::duration<double>(now - work.since).count();
  }
  if (!work.slow || !work.usual) return;
  if (!early && status.load.known && !work.busy && status.waited < kCauseWithin)
    return;  // a log line should name the cause
  status.state = RankStatus::State::Slow;
  status.why =
      slow_part(status.load, work.busy, std::max(status.waited, work.pace.value_or(Dispatch::Duration{}).count()),
                work.usual->count());
}

Collected Root::sum() const {
  Collected sum = sum_;
  for (const auto& [pass, cycles] : cycles_) sum.cycles += cycles;
  return sum;
}

}  // namespace weft::swarmx
