#include "host/tokenizer/unicode/byte_unicode_map.hpp"

#include "host/tokenizer/unicode/characters.hpp"

namespace weft::tokenizer {
namespace {

constexpr auto kLetters = byte_letters();
constexpr std::uint32_t kEnd = 256 + 68;  // 68 bytes have another letter than themselves

constexpr std::array<std::int16_t, kEnd> bytes_by_letter() {
  std::array<std::int16_t, kEnd> bytes{};
  bytes.fill(-1);
  for (std::int16_t b = 0; b < 256; ++b) bytes[kLetters[b]] = b;
  return bytes;
}
constexpr auto kBytes = bytes_by_letter();

}  // namespace

std::optional<std::string> bytes_of_letters(std::string_view token) {
  std::string bytes;
  const char* const end = token.data() + token.size();
  for (const char* at = token.data(); at != end;) {
    const Character c = character_at(at, end);
    if (c.code >= kEnd || kBytes[c.code] < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(kBytes[c.code]));
    at += c.bytes;
  }
  return bytes;
}

std::string letters_of_bytes(std::string_view bytes) {
  std::string letters;
  for (const char b : bytes) append_utf8(kLetters[static_cast<unsigned char>(b)], letters);
  return letters;
}

}  // namespace weft::tokenizer
