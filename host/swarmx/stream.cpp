#include "host/swarmx/stream.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "host/swarmx/payload.hpp"

namespace weft {

void Stream::begin_step(bool again) {
  again_ = again;
  for (std::size_t op = 0; op < packed_.size(); ++op) {
    if (plan_.ops[op].tensors.empty()) continue;  // commands and masks stay as they are
    for (const Frame& frame : packed_[op]) kept_ -= frame.bytes().size();
    packed_[op].clear();
  }
}

void Stream::op(std::size_t index, const MemoryX& memoryx, const std::function<void(Frame)>& send) {
  const Op& op = plan_.ops[index];
  if (!packed_[index].empty()) {
    for (const Frame& frame : packed_[index]) send(frame);
    return;
  }
  memoryx.wait(op.tensors);
  messages_.clear();
  expand(op, memoryx.parameters(), messages_);
  const std::size_t bytes =
      messages_.size() * sizeof(std::uint32_t) * 33 / 32 + 4 * (messages_.size() / kPartMessages + 2);
  const bool keep = (again_ || op.tensors.empty()) && kept_ + bytes <= kKept;
  std::uint32_t part = 0;
  for (std::size_t begin = 0; begin < messages_.size(); begin += kPartMessages, ++part) {
    const auto messages = std::span(messages_).subspan(begin, std::min(kPartMessages, messages_.size() - begin));
    Frame frame{.type = FrameType::Op, .op = static_cast<std::uint32_t>(index), .part = part};
    frame.carry(encode_messages(messages));
    if (keep) {
      packed_[index].push_back(frame);
      kept_ += frame.bytes().size();
    }
    send(std::move(frame));
  }
}

}  // namespace weft
