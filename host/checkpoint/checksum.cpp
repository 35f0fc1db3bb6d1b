#include "host/checkpoint/checksum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "host/checkpoint/safetensors.hpp"
#include "sw/base/crc32c.hpp"

namespace weft::checkpoint {

std::optional<std::size_t> checksum_place(std::string_view header) {
  // A quote within a JSON text is escaped, so this can only match the key.
  const std::string key = fmt::format("\"{}\":\"", kChecksumKey);
  const std::size_t at = header.find(key);
  if (at == std::string_view::npos || header.size() - at - key.size() < kNoChecksum.size()) return std::nullopt;
  return at + key.size();
}

std::string checksum_text(std::uint32_t crc) { return fmt::format("{:08x}", crc); }

Checksum verify_checksum(const ByteSource& source) {
  std::uint64_t length = 0;
  if (source.size() < sizeof length) return Checksum::None;
  source.read(0, {reinterpret_cast<std::uint8_t*>(&length), sizeof length});
  if (length > kMaxHeader) return Checksum::None;
  std::string text(sizeof length + std::min<std::uint64_t>(length, source.size() - sizeof length), '\0');
  source.read(0, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
  const std::optional<std::size_t> place = checksum_place(text);
  if (!place) return Checksum::None;

  const std::string digits = text.substr(*place, kNoChecksum.size());
  text.replace(*place, kNoChecksum.size(), kNoChecksum);
  std::uint32_t crc = crc32c({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  source.for_each(text.size(), source.size() - text.size(),
                  [&](std::span<const std::uint8_t> bytes) { crc = crc32c(bytes, crc); });
  return digits == checksum_text(crc) ? Checksum::Right : Checksum::Wrong;
}

}  // namespace weft::checkpoint
