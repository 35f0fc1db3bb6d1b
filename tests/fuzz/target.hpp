/// A fuzz target: one reader of bytes that come from outside.
///
/// Each target is a source of its own with these two functions. replay_test.cpp runs it under g++ with its seeds and
/// with damaged copies of them; fuzzer.cpp under libFuzzer.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

namespace weft::fuzz {

/// Valid files, to start from.
std::vector<std::string> seeds();

/// Reads `bytes`. Returns whatever they are, or a promise of the reader is broken: then it crashes, hangs or stops at
/// `promise`.
void read(std::span<const std::uint8_t> bytes);

/// Ends the program if a promise does not hold.
inline void promise(bool holds, const char* what, const std::string& detail = {}) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s %s\n", what, detail.c_str());
  std::abort();
}

/// What an error of the user must be: one line, with a way out.
inline void promise_one_line(const std::string& what) {
  promise(what.find('\n') == std::string::npos, "an error is one line:", what);
  promise(what.find(". HINT: ") != std::string::npos, "an error says what to do:", what);
}

}  // namespace weft::fuzz
