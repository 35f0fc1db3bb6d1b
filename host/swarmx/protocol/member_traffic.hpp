/// Traffic of wafers below a node of another process, as the node reports it to the root for `weft status`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/swarmx/protocol/frame.hpp"
#include "host/swarmx/protocol/status.hpp"

namespace weft::swarmx {

/// Counts since the member joined; bytes include frame headers.
struct MemberTraffic {
  std::uint64_t member_id = 0;
  std::uint64_t frames_to = 0, frames_from = 0, bytes_to = 0, bytes_from = 0;
  std::uint64_t load = Load().encoded();  ///< its last report
  bool operator==(const MemberTraffic&) const = default;
};

MemberTraffic traffic_of(std::uint32_t member_id, const Traffic& traffic);

/// `members` must be ascending; only as many as fit are sent, which are 21,845.
Frame traffic_frame(std::span<const MemberTraffic> members);
/// Throws CorruptFrame.
std::vector<MemberTraffic> decode_traffic(std::span<const std::uint8_t> bytes);

}  // namespace weft::swarmx
