/// Our own mistakes stop the program at once and say which; the world's failures are exceptions.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace weft {

/// `sentence` is the invariant that does not hold, e.g. "a gradient counts once".
inline void invariant(bool holds, const char* sentence) {
  if (holds) [[likely]]
    return;
  std::fprintf(stderr, "weft: broken invariant: %s\n", sentence);
  std::abort();
}

}  // namespace weft
