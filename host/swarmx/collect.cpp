#include "host/swarmx/collect.hpp"

#include <algorithm>
#include <string>

#include "host/swarmx/error.hpp"
#include "host/swarmx/outlets.hpp"
#include "host/swarmx/payload.hpp"

namespace weft {

void Collect::begin(std::uint64_t step, std::uint32_t rounds, MemoryX* memoryx) {
  check();
  const std::lock_guard lock(mutex_);
  step_ = step;
  rounds_ = rounds;
  done_ = 0;
  memoryx_ = memoryx;
  sum_ = {};
  first_.assign(1, 0);
  const std::size_t ops = memoryx != nullptr ? plan_.ops.size() : plan_.forward_ops;
  for (std::size_t op = 0; op < ops; ++op) first_.push_back(first_.back() + parts(plan_.ops[op]));
  got_.assign(first_.back() * rounds, false);
}

void Collect::add(const Frame& frame) {
  const std::lock_guard lock(mutex_);
  if (error_) return;
  try {
    if (frame.type == FrameType::Error) {
      error_ = frame;
    } else {
      take(frame);
    }
  } catch (const SwarmError& error) {
    error_ = error_frame(ErrorKind::Swarm, "swarmx MemoryX: " + std::string(error.what()) + " (from " + senders_ + ")");
  }
  changed_.notify_all();
}

std::size_t Collect::slot(const Frame& frame) const {
  const bool planned = frame.step == step_ && frame.round < rounds_ && std::size_t{frame.op} + 1 < first_.size() &&
                       frame.part < first_[frame.op + 1] - first_[frame.op];
  if (!planned) throw CorruptFrame("a contribution to what nobody asked for");
  return frame.round * first_.back() + first_[frame.op] + frame.part;
}

void Collect::take(const Frame& frame) {
  const std::vector<std::int64_t> values = decode_integers(frame.bytes());
  if (frame.type == FrameType::Stats) {
    const auto begin = got_.begin() + static_cast<std::ptrdiff_t>(frame.round * first_.back());
    const bool all = frame.step == step_ && frame.round < rounds_ && values.size() == kStatsFields &&
                     std::all_of(begin, begin + static_cast<std::ptrdiff_t>(first_.back()), [](bool b) { return b; });
    if (!all) throw CorruptFrame("a round ended without everything it returns");
    sum_.cycles += static_cast<std::uint64_t>(values[kStatsCycles]);
    sum_.fma_lanes += static_cast<std::uint64_t>(values[kStatsFmaLanes]);
    sum_.beats += static_cast<std::uint64_t>(values[kStatsBeats]);
    sum_.edge_messages += static_cast<std::uint64_t>(values[kStatsEdgeMessages]);
    ++done_;
    return;
  }
  const std::size_t at = slot(frame);
  if (got_[at]) throw CorruptFrame("a contribution came twice");
  got_[at] = true;
  const Op& op = plan_.ops[frame.op];
  if ((frame.type == FrameType::Loss) != (op.returns == Returns::Loss)) throw CorruptFrame("a loss is no gradient");
  if (frame.type == FrameType::Loss) {
    if (values.size() != kLossFields || __builtin_add_overflow(sum_.loss, values[kLossSum], &sum_.loss)) {
      throw SwarmError("the loss of the global batch overflows");
    }
    sum_.tokens += values[kLossTokens];
  } else {
    const std::size_t first = std::size_t{frame.part} * kPartValues;
    if (memoryx_ == nullptr || values.size() != std::min(kPartValues, gradient_words(op) - first)) {
      throw CorruptFrame("a gradient of another length than planned");
    }
    memoryx_->add(frame.op, first, values);
  }
}

void Collect::check() {
  const std::lock_guard lock(mutex_);
  if (error_) throw_error(error_->bytes());
}

Collected Collect::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return error_ || done_ == rounds_; });
  if (error_) throw_error(error_->bytes());
  return sum_;
}

bool Collect::failed() {
  const std::lock_guard lock(mutex_);
  return error_.has_value();
}

}  // namespace weft
