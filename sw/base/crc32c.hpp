/// CRC-32C (Castagnoli), as iSCSI and ext4 use it: crc32c("123456789") = 0xE3069283.
#pragma once

#include <cstdint>
#include <span>

namespace weft {

/// Of what had the checksum `before`, followed by `bytes`.
std::uint32_t crc32c(std::span<const std::uint8_t> bytes, std::uint32_t before = 0);

}  // namespace weft
