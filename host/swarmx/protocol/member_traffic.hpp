/// Traffic of wafers below a node of another process, as the node reports it to the root for `weft status`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/swarmx/protocol/frame.hpp"
#include "host/swarmx/protocol/status.hpp"

namespace weft {

/// Counts since the member joined; bytes include frame headers.
struct SeatTraffic {
  std::uint64_t seat = 0;
  std::uint64_t frames_to = 0, frames_from = 0, bytes_to = 0, bytes_from = 0;
  bool operator==(const SeatTraffic&) const = default;
};

SeatTraffic traffic_of(std::uint32_t seat, const Traffic& traffic);

/// `seats` must be ascending; only as many as fit are sent, which are 26,214.
Frame traffic_frame(std::span<const SeatTraffic> seats);
/// Throws CorruptFrame.
std::vector<SeatTraffic> decode_traffic(std::span<const std::uint8_t> bytes);

}  // namespace weft
