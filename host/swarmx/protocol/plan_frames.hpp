/// A plan as frames for a process that joins: the root's plan, including masks, so that the process compiles nothing.
///
/// Plan frames are sent down first: parts of what encode_plan returns; `op` is the member id, `contains` the number of
/// parts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/swarmx/protocol/frame.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

std::vector<Frame> plan_frames(std::span<const std::uint8_t> encoded, std::uint32_t member_id);

class PlanReader {
 public:
  /// Takes the next frame; returns the plan once it is complete. Throws CorruptFrame naming `peer`.
  std::optional<compiler::Plan> add(const Frame& frame, const std::string& peer);
  /// The bytes received, for other processes: as encode_plan returns them.
  std::span<const std::uint8_t> encoded() const { return bytes_; }
  /// Member id of the frames.
  std::uint32_t member_id() const { return member_id_; }

 private:
  static constexpr std::uint32_t kMostParts = 4096;  // 4 GiB
  std::vector<std::uint8_t> bytes_;
  std::uint32_t parts_ = 0;
  std::uint32_t member_id_ = 0;
};

}  // namespace weft::swarmx
