/// Characters, and the kinds of them that split text into words.
///
/// The categories are those of the package `tokenizers` (unicode_table.py asks it), so that a letter which Unicode got
/// lately is a letter here if it is one there, whatever tables this machine's libraries have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft::text {

inline constexpr std::uint32_t kCodePoints = 0x110000;
/// What a byte is that begins no UTF-8.
inline constexpr std::uint32_t kInvalid = 0xffffffff;

/// [range]: first code point * 256 + category; up to the next range's first. Category 0 is what is not assigned.
extern const std::uint32_t kCategoryRanges[];
extern const std::size_t kCategoryRangeCount;

/// Names of the categories from 1 on.
inline constexpr const char* kCategoryNames[] = {"",   "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd",
                                                 "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm",
                                                 "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co"};

/// [code point]: its category.
const std::uint8_t* categories();

enum class Kind : std::uint8_t { Other, Letter, Number, Space };

/// \p{L}, \p{N}, \s (White_Space), or none of these. An invalid byte is Other.
Kind kind_of(std::uint32_t code);

struct Character {
  std::uint32_t code;  ///< or kInvalid
  std::uint32_t bytes;
};

/// The character at `at`, which is below `end`. A byte that begins no character (no UTF-8, a surrogate, cut short) is
/// one byte long and kInvalid.
Character character_at(const char* at, const char* end);

void append_utf8(std::uint32_t code, std::string& out);

}  // namespace weft::text
