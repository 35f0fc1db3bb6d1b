#include "host/checkpoint/seal.hpp"

#include <algorithm>
#include <optional>

#include "sw/base/crc32c.hpp"
#include "sw/base/invariant.hpp"

namespace weft::checkpoint {
namespace {

constexpr std::string_view kKey = "crc32c", kHex = "0123456789abcdef";

std::optional<std::size_t> digits_of(std::string_view text) {
  const std::size_t key = text.rfind(kKey);
  if (key == std::string_view::npos) return std::nullopt;
  const std::size_t at = text.find_first_not_of("\": ", key + kKey.size());
  const std::string_view digits = text.substr(std::min(at, text.size())).substr(0, kNoChecksum.size());
  const bool whole = digits.size() == kNoChecksum.size() && digits.find_first_not_of(kHex) == std::string_view::npos;
  return whole ? std::optional(at) : std::nullopt;
}

/// Checksum of a text whose checksum digits are zeros.
std::string checksum_of(std::string_view text) {
  return checksum_text(crc32c({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
}

}  // namespace

std::string sealed(std::string text) {
  const auto at = digits_of(text);
  invariant(at && text.compare(*at, kNoChecksum.size(), kNoChecksum) == 0, "a text to seal has room for a checksum");
  return text.replace(*at, kNoChecksum.size(), checksum_of(text));
}

std::string run_in(std::string_view text, std::string_view key) {
  constexpr std::size_t kDigits = 16;
  const std::size_t at = text.rfind(key);
  if (at == std::string_view::npos) return {};
  const std::string_view run = text.substr(at + key.size()).substr(0, kDigits);
  return run.size() == kDigits && run.find_first_not_of(kHex) == std::string_view::npos ? std::string(run) : "";
}

Checksum check_seal(std::string_view text) {
  const auto at = digits_of(text);
  if (!at) return Checksum::None;
  std::string blank(text);
  blank.replace(*at, kNoChecksum.size(), kNoChecksum);
  return text.substr(*at, kNoChecksum.size()) == checksum_of(blank) ? Checksum::Right : Checksum::Wrong;
}

}  // namespace weft::checkpoint
