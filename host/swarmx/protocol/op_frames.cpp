#include "host/swarmx/protocol/op_frames.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "sw/compiler/stream/expand.hpp"

namespace weft::swarmx {

void OpFrames::make(std::size_t index, const compiler::Parameters& parameters, const Send& send) {
  const compiler::Op& op = plan_.ops[index];
  Frame frame{.type = FrameType::Op, .op = static_cast<std::uint32_t>(index)};
  const auto send_some = [&](std::size_t messages, bool more, std::span<const bf16> weights) {
    const auto head = static_cast<std::uint32_t>(messages << 1 | (more ? 1 : 0));
    Bytes bytes(kOpHeader + weights.size_bytes());
    std::memcpy(bytes.data(), &head, kOpHeader);
    if (!weights.empty()) std::memcpy(bytes.data() + kOpHeader, weights.data(), weights.size_bytes());
    send(frame.carry(std::move(bytes)));
    ++frame.part;
  };
  if (!compiler::has_weights(op)) return send_some(0, false, {});
  compiler::Expansion expansion(op);
  for (;;) {
    weights_.clear();  // also the rest of an op that `send` ended by an exception
    const std::size_t messages = expansion.values(parameters, weights_);
    if (messages == 0) return;
    std::span<const bf16> left = weights_;
    for (; left.size() > kMostWeights; left = left.subspan(kMostWeights))
      send_some(messages, true, left.first(kMostWeights));
    send_some(messages, false, left);
  }
}

}  // namespace weft::swarmx
