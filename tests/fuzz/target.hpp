/// A fuzz target: one parser of untrusted bytes.
///
/// Each target is a source file with a namespace of its own, which adds its two functions to the list of targets.
/// replay_test.cpp runs all of them under g++ with their seeds and damaged copies; fuzzer.cpp runs one under libFuzzer.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

namespace weft::fuzz {

struct Target {
  const char* name;
  /// Valid inputs to start from.
  std::vector<std::string> (*seeds)();
  /// Parses `bytes`. Must return for any input; a crash, a hang or a failed `promise` is a bug in the parser.
  void (*read)(std::span<const std::uint8_t> bytes);
};

/// The targets of this program.
inline std::vector<Target>& targets() {
  static std::vector<Target> all;
  return all;
}

/// Adds a target, before main(). Returns true.
inline bool add(const Target& target) {
  targets().push_back(target);
  return true;
}

/// Ends the program if a promise does not hold.
inline void promise(bool holds, const char* what, const std::string& detail = {}) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s %s\n", what, detail.c_str());
  std::abort();
}

/// Checks an error message for the user: one line, with a hint.
inline void promise_one_line(const std::string& what) {
  promise(what.find('\n') == std::string::npos, "an error is one line:", what);
  promise(what.find(". HINT: ") != std::string::npos, "an error says what to do:", what);
}

}  // namespace weft::fuzz
