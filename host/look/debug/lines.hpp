/// The lines of a script, or those that are typed.
#pragma once

#include <fstream>
#include <iosfwd>

#include "host/config/options.hpp"
#include "host/look/debug/shell.hpp"

namespace weft::debug {

class Lines {
 public:
  /// Of the option script, a file, else of `in`, with a prompt and line editing if that is a terminal. Throws Refusal
  /// if there is no such file.
  Lines(const Options& options, std::istream& in, bool terminal);
  /// All of them, up to `quit`. Returns 1 if one of a script failed.
  int to(Shell& shell, std::ostream& out);

 private:
  bool scripted_, terminal_;
  std::ifstream script_;
  std::istream& typed_;
};

}  // namespace weft::debug
