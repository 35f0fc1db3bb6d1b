/// Interpretation of frames by the relay, and redirection.
#include <algorithm>
#include <array>

#include "host/swarmx/protocol/contribution.hpp"
#include "tests/run/ranks/frame_relay.hpp"

namespace weft::test {
namespace {

constexpr std::array kNames = {"Redirect", "Plan",    "Begin",   "Batch",    "Op",   "End",   "Unmerged",
                               "Stop",     "Listens", "Came",    "Gradient", "Loss", "Stats", "Left",
                               "Error",    "Alive",   "Deal",    "Step",     "Norm", "Apply", "State",
                               "Done",     "Taken",   "Traffic", "Leaves"};
static_assert(kNames.size() == static_cast<std::size_t>(swarmx::kLastFrameType) + 1);

}  // namespace

/// The Redirect frame, changed to name the other relay, which forwards to the original target.
swarmx::Bytes FrameRelay::redirected(const swarmx::Frame& frame) {
  swarmx::Frame other = frame;
  memory_->target_ = static_cast<std::uint16_t>(frame.part);
  other.part = memory_->port();
  const swarmx::HeaderBytes head = swarmx::encode_header(other);
  swarmx::Bytes all(head.size() + other.bytes().size());
  const auto payload = std::ranges::copy(head, all.begin()).out;
  std::ranges::copy(other.bytes(), payload);
  return all;
}

/// Describes the frame's role in the step.
Passing FrameRelay::interpret(bool memory, const swarmx::Frame& frame, bool up) {
  Passing passing{.name = kNames.at(static_cast<std::size_t>(frame.type)), .step = frame.step, .up = up};
  if (memory) {
    if (frame.type == swarmx::FrameType::Step) step_ = frame.step;
    passing.step = step_;
  } else if (frame.type == swarmx::FrameType::Begin) {
    passing.first = frame.step != step_;
    if (passing.first) ended_.clear();
    step_ = frame.step;
  } else if (frame.type == swarmx::FrameType::Stats && frame.step == step_) {
    const std::size_t before = ended_.size();
    for (const std::uint32_t micro_batch : swarmx::decode_contribution(frame).micro_batches) ended_.insert(micro_batch);
    passing.last = before < micro_batches_ && ended_.size() == micro_batches_;
  }
  return passing;
}

}  // namespace weft::test
