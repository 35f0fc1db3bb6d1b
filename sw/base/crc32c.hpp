/// CRC-32C (Castagnoli), as iSCSI and ext4 use it: crc32c("123456789") = 0xE3069283.
#pragma once

#include <cstdint>
#include <span>

namespace weft {

/// Checksum of data with the checksum `before`, followed by `bytes`.
std::uint32_t crc32c(std::span<const std::uint8_t> bytes, std::uint32_t before = 0);

/// Checksum of data with the checksum `first`, followed by `count` bytes that alone have the checksum `second`.
std::uint32_t crc32c_joined(std::uint32_t first, std::uint32_t second, std::uint64_t count);

}  // namespace weft
