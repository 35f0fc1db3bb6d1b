/// Internal errors abort the program and print the broken invariant; external failures are exceptions.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace weft {

/// `sentence` states the invariant, e.g. "a gradient counts once".
inline void invariant(bool holds, const char* sentence) {
  if (holds) [[likely]]
    return;
  std::fprintf(stderr, "weft: broken invariant: %s\n", sentence);
  std::abort();
}

}  // namespace weft
