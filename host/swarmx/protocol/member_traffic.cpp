#include "host/swarmx/protocol/member_traffic.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>

#include "host/swarmx/base/error.hpp"

namespace weft::swarmx {

static_assert(sizeof(MemberTraffic) == 48, "the record has the same layout in a payload and in memory");

MemberTraffic traffic_of(std::uint32_t member_id, const Traffic& traffic) {
  const auto of = [](const std::atomic<std::uint64_t>& count) { return count.load(std::memory_order_relaxed); };
  return {member_id,
          of(traffic.frames_to),
          of(traffic.frames_from),
          of(traffic.bytes_to),
          of(traffic.bytes_from),
          traffic.load_now().encoded()};
}

Frame traffic_frame(std::span<const MemberTraffic> members) {
  members = members.first(std::min(members.size(), kMaxPayload / sizeof(MemberTraffic)));
  Bytes bytes(members.size_bytes());
  if (!members.empty()) std::memcpy(bytes.data(), members.data(), bytes.size());
  Frame frame{.type = FrameType::Traffic};
  return frame.carry(std::move(bytes));
}

std::vector<MemberTraffic> decode_traffic(std::span<const std::uint8_t> bytes) {
  check_frame(bytes.size() % sizeof(MemberTraffic) == 0, "a traffic frame has a wrong length");
  std::vector<MemberTraffic> members(bytes.size() / sizeof(MemberTraffic));
  if (!members.empty()) std::memcpy(members.data(), bytes.data(), bytes.size());
  check_frame(std::ranges::is_sorted(members, std::less_equal(), &MemberTraffic::member_id),
              "the member ids of a traffic frame are not ascending");
  check_frame(members.empty() || members.back().member_id <= std::numeric_limits<std::uint32_t>::max(),
              "a traffic frame has an invalid member id");
  return members;
}

}  // namespace weft::swarmx
