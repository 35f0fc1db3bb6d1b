/// The user's mistakes, and where they are.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace weft {

/// `what()` is one line: place, key, what is wrong, what to do. The program exits with 2.
struct ConfigError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Where a key was set.
struct Place {
  std::string source;  ///< the parameter file, or "command line"
  int line = 0;        ///< from 1; 0: none

  std::string text() const { return line > 0 ? source + ":" + std::to_string(line) : source; }
  /// "configs/mine.yaml:12: model.num_heads: 5 does not divide hidden_size 64. HINT: use 4 or 8."
  ConfigError error(std::string_view key, std::string_view problem, std::string_view hint) const {
    std::string what = text() + ": ";
    if (!key.empty()) what.append(key).append(": ");
    what.append(problem).append(". HINT: ").append(hint);
    return ConfigError(what + (hint.ends_with('?') ? "" : "."));
  }
};

}  // namespace weft
