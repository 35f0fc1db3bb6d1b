/// What is refused of the files of a model folder.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "sw/base/refusal.hpp"

namespace weft {

/// `text` as part of a line: what does not print, or is too long to read, is left out.
inline std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 120;
  std::string line(text.substr(0, kLongest));
  for (char& c : line) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text.size() > kLongest ? line + "..." : line;
}

/// "out/checkpoint_5.safetensors: wte.weight: shape is [96, 32], not [80, 32]. HINT: set model.vocab_size 96."
/// `part` may be empty.
template <class Error = Refusal>
Error file_error(std::string_view file, std::string_view part, std::string_view problem, std::string_view hint) {
  return Error(fmt::format("{}{}{}", file, part.empty() ? "" : ": ", printable(part)), problem, hint);
}

}  // namespace weft
