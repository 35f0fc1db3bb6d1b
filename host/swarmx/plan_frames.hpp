/// A plan on its way to a process that joins: the root's, masks and all, so that whoever joins compiles nothing.
///
/// Plan frames are the first that come down: parts of what encode_plan returns, `op` is the seat, `contains` the number
/// of parts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/swarmx/frame.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

std::vector<Frame> plan_frames(std::span<const std::uint8_t> encoded, std::uint32_t seat);

class PlanReader {
 public:
  /// Takes the next frame; the plan once it is whole. Throws CorruptFrame naming `peer`.
  std::optional<Plan> take(const Frame& frame, const std::string& peer);
  /// What came of it, for others: as encode_plan returns it.
  std::span<const std::uint8_t> encoded() const { return bytes_; }
  /// Of the frames that came.
  std::uint32_t seat() const { return seat_; }

 private:
  static constexpr std::uint32_t kMostParts = 4096;  // 4 GiB
  std::vector<std::uint8_t> bytes_;
  std::uint32_t parts_ = 0;
  std::uint32_t seat_ = 0;
};

}  // namespace weft
