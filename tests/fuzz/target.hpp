/// A fuzz target: one parser of untrusted bytes.
///
/// Each target is a source file that defines these two functions. replay_test.cpp runs it under g++ with its seeds and
/// damaged copies of them; fuzzer.cpp runs it under libFuzzer.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

namespace weft::fuzz {

/// Valid inputs to start from.
std::vector<std::string> seeds();

/// Parses `bytes`. Must return for any input; a crash, a hang or a failed `promise` is a bug in the parser.
void read(std::span<const std::uint8_t> bytes);

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
