/// UDP in Ethernet frames: builds and parses them as a host's network card does (docs/reference/ethernet.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace weft::emulator {

struct EthernetAddress {
  std::array<std::uint8_t, 6> mac{};
  std::array<std::uint8_t, 4> ip{};
  std::uint16_t port = 0;
  bool operator==(const EthernetAddress&) const = default;
};

struct Datagram {
  EthernetAddress from, to;
  std::vector<std::uint8_t> payload;
};

/// Bytes of a datagram that one frame can carry.
inline constexpr std::size_t kMostPayload = 1472;

/// One's complement sum of 16-bit words, as IP's checksum: the sum of a header that contains its checksum is 0.
std::uint16_t internet_checksum(std::span<const std::uint8_t> bytes);
/// Pads to 60 bytes and appends Ethernet's checksum.
void seal(std::vector<std::uint8_t>& frame);
/// A frame from the destination's MAC to the checksum; UDP's own checksum is 0, which means none.
std::vector<std::uint8_t> pack(const Datagram& datagram);
/// Empty if any part of the frame is wrong, or it is not UDP.
std::optional<Datagram> unpack(std::span<const std::uint8_t> frame);

}  // namespace weft::emulator
