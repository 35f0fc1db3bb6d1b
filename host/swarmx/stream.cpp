#include "host/swarmx/stream.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "host/memoryx/weight_reader.hpp"
#include "host/swarmx/payload.hpp"
#include "sw/compiler/expand.hpp"

namespace weft {

void Stream::begin_step(bool again) {
  again_ = again;
  for (std::size_t op = 0; op < packed_.size(); ++op) {
    if (!plan_.ops[op].tensors.empty()) forget(op);  // commands and masks stay as they are
  }
}

void Stream::op(std::size_t index, const MemoryX& memoryx, const std::function<void(Frame)>& send) {
  const Op& op = plan_.ops[index];
  if (!packed_[index].empty()) {
    for (const Frame& frame : packed_[index]) send(frame);
    return;
  }
  {
    const StepClock::In waits(clock_, Part::Update);
    memoryx.wait(op.tensors);
  }
  if (index + 1 < plan_.ops.size()) memoryx.ahead(plan_.ops[index + 1].tensors);
  WeightReader weights(memoryx);
  messages_.clear();
  Expansion expansion(op);
  std::uint32_t part = 0;
  bool keep = again_ || op.tensors.empty(), more = true;
  while (more) {
    more = expansion.next(weights.parameters(), messages_);
    std::size_t begin = 0;
    for (; messages_.size() - begin >= (more ? kPartMessages : 1); ++part) {
      const auto messages = std::span(messages_).subspan(begin, std::min(kPartMessages, messages_.size() - begin));
      Frame frame{.type = FrameType::Op, .op = static_cast<std::uint32_t>(index), .part = part};
      frame.carry(encode_messages(messages));
      keep = keep && kept(index, frame);
      send(std::move(frame));
      begin += messages.size();
    }
    messages_.erase(messages_.begin(), messages_.begin() + static_cast<std::ptrdiff_t>(begin));
  }
}

bool Stream::kept(std::size_t op, const Frame& frame) {
  if (kept_ + frame.bytes().size() <= kKept) {
    packed_[op].push_back(frame);
    kept_ += frame.bytes().size();
    return true;
  }
  forget(op);
  return false;
}

void Stream::forget(std::size_t op) {
  for (const Frame& frame : packed_[op]) kept_ -= frame.bytes().size();
  packed_[op].clear();
}

}  // namespace weft
