/// The letters that represent bytes in the files of a byte-level vocabulary, as defined by GPT-2.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::tokenizer {

/// [byte]: code point of its letter. A printable Latin-1 byte represents itself; the others, in order, are represented
/// by U+0100 and following: a space by U+0120.
constexpr std::array<std::uint32_t, 256> byte_letters() {
  std::array<std::uint32_t, 256> letters{};
  std::uint32_t next = 256;
  for (std::uint32_t b = 0; b < 256; ++b) {
    const bool printed = (b >= '!' && b <= '~') || (b >= 0xa1 && b <= 0xac) || b >= 0xae;
    letters[b] = printed ? b : next++;
  }
  return letters;
}

/// The bytes that a token's letters represent; none if a letter represents no byte.
std::optional<std::string> bytes_of_letters(std::string_view token);
/// The inverse: the letters in UTF-8.
std::string letters_of_bytes(std::string_view bytes);

}  // namespace weft::tokenizer
