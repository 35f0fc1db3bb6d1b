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
  /// Whatever the parts contain, it is one line: control characters are shown as \xNN, long parts are cut.
  ConfigError error(std::string_view key, std::string_view problem, std::string_view hint) const;
};

/// `text` with what does not print as \x0a; what is beyond `most` bytes of it is left out.
std::string one_line(std::string_view text, std::size_t most = 4096);

}  // namespace weft
