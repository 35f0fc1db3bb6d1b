/// The letters that stand for bytes in the files of a byte-level vocabulary.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::text {

/// [byte]: its code point. A byte that Latin-1 prints stands for itself; the others, in order, are U+0100 and on: a
/// space is U+0120. (So GPT-2's files have it.)
constexpr std::array<std::uint32_t, 256> byte_letters() {
  std::array<std::uint32_t, 256> letters{};
  std::uint32_t next = 256;
  for (std::uint32_t b = 0; b < 256; ++b) {
    const bool printed = (b >= '!' && b <= '~') || (b >= 0xa1 && b <= 0xac) || b >= 0xae;
    letters[b] = printed ? b : next++;
  }
  return letters;
}

/// The bytes that a token's letters stand for; none if one of them stands for no byte.
std::optional<std::string> bytes_of_letters(std::string_view token);
/// The other way: UTF-8.
std::string letters_of_bytes(std::string_view bytes);

}  // namespace weft::text
