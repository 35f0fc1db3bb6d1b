/// The checksum of a checkpoint, stored in its header.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "host/checkpoint/byte_source.hpp"

namespace weft::checkpoint {

inline constexpr std::string_view kChecksumKey = "weft.crc32c";
inline constexpr std::string_view kNoChecksum = "00000000";

/// Position of the checksum's eight digits in a safetensors header; none if the header lacks the key.
std::optional<std::size_t> checksum_place(std::string_view header);

std::string checksum_text(std::uint32_t crc);

enum class Checksum : std::uint8_t { None, Right, Wrong };
/// Compares the checksum of a whole file with the one in its header.
Checksum verify_checksum(const ByteSource& source);

}  // namespace weft::checkpoint
