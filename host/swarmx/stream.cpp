#include "host/swarmx/stream.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "host/swarmx/payload.hpp"
#include "sw/compiler/expand.hpp"

namespace weft {

void Stream::op(std::size_t index, const MemoryX& memoryx, const std::function<void(Frame)>& send) {
  const Op& op = plan_.ops[index];
  memoryx.wait(op.tensors);
  messages_.clear();
  Expansion expansion(op);
  std::uint32_t part = 0;
  bool more = true;
  while (more) {
    more = expansion.next(memoryx.parameters(), messages_);
    std::size_t begin = 0;
    for (; messages_.size() - begin >= (more ? kPartMessages : 1); ++part) {
      const auto messages = std::span(messages_).subspan(begin, std::min(kPartMessages, messages_.size() - begin));
      Frame frame{.type = FrameType::Op, .op = static_cast<std::uint32_t>(index), .part = part};
      frame.carry(encode_messages(messages));
      send(std::move(frame));
      begin += messages.size();
    }
    messages_.erase(messages_.begin(), messages_.begin() + static_cast<std::ptrdiff_t>(begin));
  }
}

}  // namespace weft
