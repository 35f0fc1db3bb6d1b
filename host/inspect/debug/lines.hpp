/// Source of command lines: a script or typed input.
#pragma once

#include <iosfwd>
#include <sstream>

#include "host/config/command_line/options.hpp"
#include "host/inspect/debug/shell.hpp"

namespace weft::inspect::debug {

class Lines {
 public:
  /// Reads the file or pipe named by the option script to its end. Without that option, lines are read from `in`, with
  /// a prompt and line editing if `in` is a terminal. Throws Refusal if the script cannot be read or is too long.
  Lines(const config::Options& options, std::istream& in, bool terminal);
  /// Feeds all lines to `shell` until `quit`. Returns 1 if a line of a script failed.
  int to(Shell& shell, std::ostream& out);

 private:
  bool scripted_, terminal_;
  std::istringstream script_;
  std::istream& typed_;
};

}  // namespace weft::inspect::debug
