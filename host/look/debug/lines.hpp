/// The lines of a script, or those that are typed.
#pragma once

#include <iosfwd>
#include <sstream>

#include "host/config/options.hpp"
#include "host/look/debug/shell.hpp"

namespace weft::debug {

class Lines {
 public:
  /// Takes the lines of the option script, a file or a pipe, which is read to its end now. Without it the lines come
  /// from `in`, with a prompt and line editing if that is a terminal. Throws Refusal if the script cannot be read, or
  /// is too long for one.
  Lines(const Options& options, std::istream& in, bool terminal);
  /// All of them, up to `quit`. Returns 1 if one of a script failed.
  int to(Shell& shell, std::ostream& out);

 private:
  bool scripted_, terminal_;
  std::istringstream script_;
  std::istream& typed_;
};

}  // namespace weft::debug
