/// Text of the kinds that matter for splitting and merging.
#pragma once

#include <string>

#include "host/tokenizer/unicode/characters.hpp"
#include "tests/random.hpp"

namespace weft::tokenizer {

/// `pieces` random pieces: words, spaces of all sorts, contractions, digits, any code point, invalid UTF-8 (if
/// `bytes`).
inline std::string random_text(test::Rng& rng, int pieces, bool bytes) {
  static constexpr const char* kSome[] = {
      " ",      "  ",     "\n",  "\t",      "\r\n",   "\u00a0", "\u3000", "\u180e",    "\u2028", "\u0085",
      "'s",     "'re",    "'LL", "'\u017f", "'d",     "'",      "a",      "Be",        "word",   "\u00e9",
      "\u4e2d", "\u03b1", "0",   "12",      "\u0663", "!",      "...",    "<|",        "-",      "_",
      "/",      "'ve",    "'m",  "'t",      "aaaa",   "the ",   "\u0301", "\U0001f600"};
  std::string text;
  for (int i = 0; i < pieces; ++i) {
    const std::uint32_t kind = rng.below(bytes ? 10 : 8);
    if (kind < 5) text += kSome[rng.below(std::size(kSome))];
    if (kind == 5) text.push_back(static_cast<char>(' ' + rng.below(95)));
    if (kind > 5 && kind < 8) {
      const std::uint32_t code = kind == 6 ? rng.below(0x3000) : rng.below(kCodePoints);
      if (code < 0xd800 || code >= 0xe000) append_utf8(code, text);
    }
    if (kind > 7) text.push_back(static_cast<char>(rng.below(256)));
  }
  return text;
}

}  // namespace weft::tokenizer
