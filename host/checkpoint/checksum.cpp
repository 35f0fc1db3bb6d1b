#include "host/checkpoint/checksum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sw/base/crc32c.hpp"

namespace weft {

std::optional<std::size_t> checksum_place(std::string_view header) {
  // Within a JSON text a quote has a backslash before it, so this is the key and nothing else.
  const std::string key = fmt::format("\"{}\":\"", kChecksumKey);
  const std::size_t at = header.find(key);
  if (at == std::string_view::npos || header.size() - at - key.size() < kNoChecksum.size()) return std::nullopt;
  return at + key.size();
}

std::string checksum_text(std::uint32_t crc) { return fmt::format("{:08x}", crc); }

Checksum verify_checksum(std::span<const std::uint8_t> bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) return Checksum::None;
  std::memcpy(&length, bytes.data(), sizeof length);
  const std::size_t header = sizeof length + std::min<std::uint64_t>(length, bytes.size() - sizeof length);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), header);
  const std::optional<std::size_t> place = checksum_place(text);
  if (!place) return Checksum::None;

  std::uint32_t crc = crc32c(bytes.first(*place));
  crc = crc32c({reinterpret_cast<const std::uint8_t*>(kNoChecksum.data()), kNoChecksum.size()}, crc);
  crc = crc32c(bytes.subspan(*place + kNoChecksum.size()), crc);
  return text.substr(*place, kNoChecksum.size()) == checksum_text(crc) ? Checksum::Right : Checksum::Wrong;
}

}  // namespace weft
