#include "host/swarmx/protocol/plan_frames.hpp"

#include <algorithm>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/plan/plan_file.hpp"

namespace weft::swarmx {

std::vector<Frame> plan_frames(std::span<const std::uint8_t> encoded, std::uint32_t member_id) {
  const std::size_t parts = (encoded.size() + kMaxPayload - 1) / kMaxPayload;
  std::vector<Frame> frames;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto some = encoded.subspan(part * kMaxPayload, std::min(kMaxPayload, encoded.size() - part * kMaxPayload));
    Frame frame{.type = FrameType::Plan,
                .op = member_id,
                .part = static_cast<std::uint32_t>(part),
                .contains = static_cast<std::uint32_t>(parts)};
    frames.push_back(frame.carry({some.begin(), some.end()}));
  }
  return frames;
}

std::optional<compiler::Plan> PlanReader::add(const Frame& frame, const std::string& peer) {
  const bool next = frame.type == FrameType::Plan && frame.part == parts_ && frame.contains > parts_ &&
                    frame.contains <= kMostParts && (parts_ == 0 || frame.op == member_id_);
  if (!next) broken(peer, "does not begin with a plan");
  ++parts_;
  member_id_ = frame.op;
  bytes_.insert(bytes_.end(), frame.bytes().begin(), frame.bytes().end());
  if (parts_ < frame.contains) return std::nullopt;
  try {
    return compiler::decode_plan(bytes_, "the plan of " + peer).plan;
  } catch (const Refusal& refusal) {
    throw CorruptFrame(refusal.what());
  }
}

}  // namespace weft::swarmx
