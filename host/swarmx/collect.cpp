#include "host/swarmx/collect.hpp"

#include <algorithm>
#include <string>

#include "host/swarmx/error.hpp"

namespace weft {
namespace {

const std::string kSender = "the tree";

void count(std::uint64_t& sum, std::int64_t value) { sum += static_cast<std::uint64_t>(value); }

}  // namespace

void Collect::begin(std::uint64_t step, const Round& round, std::uint32_t rounds, MemoryX* memoryx) {
  std::unique_lock lock(waiting_.mutex);
  waiting_.until(lock, [] { return true; });
  step_ = step;
  round_ = round;
  rounds_ = rounds;
  done_ = 0;
  memoryx_ = memoryx;
  sum_ = {};
  got_.assign((round.train ? training_ : evaluation_).slots().size() * rounds, false);
}

void Collect::add(const Frame& frame) {
  const std::vector<std::int64_t> values = take(frame);
  if (frame.type == FrameType::Gradient) memoryx_->add(frame.op, std::size_t{frame.part} * kPartValues, values);
}

/// Counts what came and returns its values. The lock is not held while MemoryX adds a gradient.
std::vector<std::int64_t> Collect::take(const Frame& frame) {
  const std::lock_guard lock(waiting_.mutex);
  if (frame.step != step_ || frame.round >= rounds_) broken(kSender, "contributed to what nobody asked for");
  const RoundReturns& planned = round_.train ? training_ : evaluation_;
  const std::size_t slot = planned.find(frame, kSender), slots = planned.slots().size();
  const std::uint32_t contains = taken(round_, frame.round, 0, static_cast<int>(round_.wafers));
  std::vector<std::int64_t> values = planned.values(slot, frame, contains, kSender);
  const auto begin = got_.begin() + static_cast<std::ptrdiff_t>(frame.round * slots);
  const auto at = begin + static_cast<std::ptrdiff_t>(slot);
  if (*at) broken(kSender, "contributed twice in " + place(frame.step, frame.round));
  *at = true;
  if (frame.type == FrameType::Loss) {
    if (__builtin_add_overflow(sum_.loss, values[kLossSum], &sum_.loss)) {
      throw SwarmError("the loss of the global batch overflows. HINT: use a lower learning rate.");
    }
    sum_.tokens += values[kLossTokens];
  } else if (frame.type == FrameType::Stats) {
    if (!std::all_of(begin, begin + static_cast<std::ptrdiff_t>(slots), [](bool got) { return got; })) {
      broken(kSender, "ended " + place(frame.step, frame.round) + " without everything it returns");
    }
    count(sum_.cycles, values[kStatsCycles]);
    count(sum_.fma_lanes, values[kStatsFmaLanes]);
    count(sum_.beats, values[kStatsBeats]);
    count(sum_.edge_messages, values[kStatsEdgeMessages]);
    ++done_;
    waiting_.notify();
  }
  return values;
}

void Collect::wait_for_turn(std::uint32_t round) {
  std::unique_lock lock(waiting_.mutex);
  waiting_.until(lock, [&] { return round < done_ + kRoundsUnderWay; });
}

Collected Collect::wait() {
  std::unique_lock lock(waiting_.mutex);
  waiting_.until(lock, [this] { return done_ == rounds_; });
  return sum_;
}

}  // namespace weft
