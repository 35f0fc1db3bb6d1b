/// The checksum of a checkpoint that is part of the checkpoint.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "host/checkpoint/byte_source.hpp"

namespace weft {

inline constexpr std::string_view kChecksumKey = "weft.crc32c";
inline constexpr std::string_view kNoChecksum = "00000000";

/// Where the checksum's eight digits are in a safetensors header; none if it has no such key.
std::optional<std::size_t> checksum_place(std::string_view header);

std::string checksum_text(std::uint32_t crc);

enum class Checksum : std::uint8_t { None, Right, Wrong };
/// Compares a whole file's bytes with the checksum in its header.
Checksum verify_checksum(const ByteSource& source);

}  // namespace weft
