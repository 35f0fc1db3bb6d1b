/// Places of errors in the user's input.
#pragma once

#include <string>
#include <string_view>

#include "sw/base/refusal.hpp"

namespace weft::config {

/// Place where a key was set.
struct Place {
  std::string source;  ///< the parameter file, or "command line"
  int line = 0;        ///< counts from 1; 0 if there is none

  bool is_command_line() const { return source == "command line"; }
  std::string text() const { return line > 0 ? source + ":" + std::to_string(line) : source; }
  /// "configs/mine.yaml:12: model.num_heads: 5 does not divide hidden_size 64. HINT: use 4 or 8."
  Refusal error(std::string_view key, std::string_view problem, std::string_view hint) const {
    constexpr std::size_t kMost = 400;  // limit in bytes of each part
    return Refusal(one_line(key, kMost), one_line(problem, kMost), one_line(hint, kMost)).at(one_line(text(), kMost));
  }
};

}  // namespace weft::config
