/// JSON of strangers: writing a value out, and freeing one, takes a call for each level that it nests.
#pragma once

#include <string_view>

namespace weft {

/// Levels that JSON of tokenizers, configurations and checkpoints is known not to have.
inline constexpr int kJsonLevels = 64;

/// Whether arrays and objects of a text, JSON or not, nest deeper than that.
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
