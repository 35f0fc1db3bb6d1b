#include "host/tokenizer/pcre_text.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <memory>
#include <unordered_map>
#include <vector>

#include "host/tokenizer/unicode/characters.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

using Code = std::unique_ptr<pcre2_code, decltype(&pcre2_code_free)>;
using Match = std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)>;

constexpr std::uint32_t kNoUnicode = 0;
constexpr char kDelete = 0x7f;
/// U+180E is a format character, also in PCRE2, but PCRE2's \s matches it.
constexpr std::uint32_t kVowelSeparator = 0x180e, kWordJoiner = 0x2060;

std::uint32_t length(std::uint32_t code) { return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4; }

/// [code point]: its category in PCRE2, as an index of kCategoryNames.
std::vector<std::uint8_t> categories_of_library() {
  std::string pattern, all;
  for (std::size_t k = 1; k < std::size(kCategoryNames); ++k)
    pattern += fmt::format("{}(\\p{{{}}}+)", k == 1 ? "" : "|", kCategoryNames[k]);
  for (std::uint32_t c = 0; c < kCodePoints; ++c)
    if (c < 0xd800 || c >= 0xe000) append_utf8(c, all);
  int error = 0;
  PCRE2_SIZE where = 0;
  const Code code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), PCRE2_UTF | PCRE2_UCP,
                                &error, &where, nullptr),
                  pcre2_code_free);
  if (!code) throw Refusal("libpcre2", "does not support Unicode properties", "install version 10.40 or later");
  pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);  // optional: without JIT, matching is slower
  const Match match(pcre2_match_data_create_from_pattern(code.get(), nullptr), pcre2_match_data_free);
  std::vector<std::uint8_t> result(kCodePoints, kNoUnicode);
  for (std::size_t at = 0;;) {
    const int groups = pcre2_match(code.get(), reinterpret_cast<PCRE2_SPTR>(all.data()), all.size(), at,
                                   PCRE2_NO_UTF_CHECK, match.get(), nullptr);
    if (groups < 1) return result;
    const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(match.get());
    for (at = ends[0]; at < ends[1];) {
      const Character c = character_at(all.data() + at, all.data() + ends[1]);
      result[c.code] = static_cast<std::uint8_t>(groups - 1);
      at += c.bytes;
    }
  }
}

std::unordered_map<std::uint32_t, std::uint32_t> find_stand_ins() {
  const std::vector<std::uint8_t> theirs = categories_of_library();
  std::unordered_map<std::uint32_t, std::uint32_t> first, result;  // first: by category and length
  const auto key = [](std::uint32_t c) { return categories()[c] * 8u + length(c); };
  for (std::uint32_t c = 0x80; c < kCodePoints; ++c)
    if (categories()[c] == theirs[c] && c != kVowelSeparator && (c < 0xd800 || c >= 0xe000)) first.emplace(key(c), c);
  for (std::uint32_t c = 0; c < kCodePoints; ++c) {
    if (categories()[c] == theirs[c]) continue;
    const auto at = first.find(key(c));
    if (at == first.end())
      throw Refusal("libpcre2",
                    fmt::format("has U+{:04X} in another category, and no other character can represent it", c),
                    "install version 10.40 or later");
    result[c] = at->second;
  }
  result[kVowelSeparator] = kWordJoiner;
  return result;
}

}  // namespace

bool with_stand_ins(std::string_view text, std::string& out) {
  static const std::unordered_map<std::uint32_t, std::uint32_t> others = find_stand_ins();
  bool copied = false;
  std::string character;
  const char *const begin = text.data(), *const end = begin + text.size();
  for (const char* at = begin; at != end;) {
    const Character c = character_at(at, end);
    const char* const here = at;
    at += c.bytes;
    if (c.code < 0x80) continue;
    character.clear();
    if (c.code == kInvalid) {
      character = kDelete;
    } else if (const auto other = others.find(c.code); other != others.end()) {
      append_utf8(other->second, character);
    } else {
      continue;
    }
    if (!copied) out = text;
    copied = true;
    out.replace(static_cast<std::size_t>(here - begin), character.size(), character);
  }
  return copied;
}

}  // namespace weft::tokenizer
