#include "host/swarmx/op_frames.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "host/swarmx/payload.hpp"
#include "sw/compiler/expand.hpp"

namespace weft {

void OpFrames::make(std::size_t index, const Parameters& parameters, const Send& send) {
  messages_.clear();
  Expansion expansion(plan_.ops[index]);
  std::uint32_t part = 0;
  for (bool more = true; more;) {
    more = expansion.next(parameters, messages_);
    std::size_t begin = 0;
    for (; messages_.size() - begin >= (more ? kPartMessages : 1); ++part) {
      const auto messages = std::span(messages_).subspan(begin, std::min(kPartMessages, messages_.size() - begin));
      Frame frame{.type = FrameType::Op, .op = static_cast<std::uint32_t>(index), .part = part};
      send(frame.carry(encode_messages(messages)));
      begin += messages.size();
    }
    messages_.erase(messages_.begin(), messages_.begin() + static_cast<std::ptrdiff_t>(begin));
  }
}

}  // namespace weft
