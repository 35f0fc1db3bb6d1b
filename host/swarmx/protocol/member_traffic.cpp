#include "host/swarmx/protocol/member_traffic.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>

#include "host/swarmx/base/error.hpp"

namespace weft {

static_assert(sizeof(SeatTraffic) == 40, "it is in a payload as it is in memory");

SeatTraffic traffic_of(std::uint32_t seat, const Traffic& traffic) {
  const auto of = [](const std::atomic<std::uint64_t>& count) { return count.load(std::memory_order_relaxed); };
  return {seat, of(traffic.frames_to), of(traffic.frames_from), of(traffic.bytes_to), of(traffic.bytes_from)};
}

Frame traffic_frame(std::span<const SeatTraffic> seats) {
  seats = seats.first(std::min(seats.size(), kMaxPayload / sizeof(SeatTraffic)));
  Bytes bytes(seats.size_bytes());
  if (!seats.empty()) std::memcpy(bytes.data(), seats.data(), bytes.size());
  Frame frame{.type = FrameType::Traffic};
  return frame.carry(std::move(bytes));
}

std::vector<SeatTraffic> decode_traffic(std::span<const std::uint8_t> bytes) {
  check_frame(bytes.size() % sizeof(SeatTraffic) == 0, "what went over connections has a wrong length");
  std::vector<SeatTraffic> seats(bytes.size() / sizeof(SeatTraffic));
  if (!seats.empty()) std::memcpy(seats.data(), bytes.data(), bytes.size());
  check_frame(std::ranges::is_sorted(seats, std::less_equal(), &SeatTraffic::seat),
              "what went over connections is not of ascending seats");
  check_frame(seats.empty() || seats.back().seat <= std::numeric_limits<std::uint32_t>::max(),
              "what went over connections is of a seat that there cannot be");
  return seats;
}

}  // namespace weft
