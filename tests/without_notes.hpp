/// Standard error of a program without its notes on keys of other modes.
#pragma once

#include <sstream>
#include <string>

namespace weft::test {

/// Tests give all modes the same keys, and a mode reports those that it does not use.
inline std::string without_notes_of_modes(const std::string& err) {
  std::istringstream lines(err);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("note    ") || line.find(": has no effect: applies to modes") == std::string::npos)
      result += line + "\n";
  }
  return result;
}

}  // namespace weft::test
