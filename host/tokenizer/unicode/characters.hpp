/// Unicode categories of characters, by which text is split into words.
///
/// The categories are those of the package `tokenizers` (category_table.py extracts them), so that recently added
/// letters are classified as that package does, independent of the Unicode tables of this machine's libraries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft::tokenizer {

inline constexpr std::uint32_t kCodePoints = 0x110000;
/// The code of a byte that begins no valid UTF-8.
inline constexpr std::uint32_t kInvalid = 0xffffffff;

/// [range]: first code point * 256 + category, up to the next range's first code point. Category 0: not assigned.
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

/// The character at `at`, which must be below `end`. A byte that begins no valid character (invalid UTF-8, a surrogate,
/// truncated) is one byte long and has the code kInvalid.
Character character_at(const char* at, const char* end);

void append_utf8(std::uint32_t code, std::string& out);

}  // namespace weft::tokenizer
