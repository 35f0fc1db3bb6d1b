/// Nesting limit for untrusted JSON: writing and freeing a value take a recursive call for each level.
#pragma once

#include <string_view>

namespace weft {

/// More levels than JSON of tokenizers, configurations and checkpoints is known to have.
inline constexpr int kJsonLevels = 64;

/// Returns true if arrays and objects of a text, JSON or not, nest deeper than `levels`.
constexpr bool nests_deeper(std::string_view json, int levels = kJsonLevels) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (quoted) {
      if (c == '\\') ++at;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > levels) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace weft
