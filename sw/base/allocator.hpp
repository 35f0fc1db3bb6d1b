/// The C library's allocator, as our programs have it.
#pragma once

#include <malloc.h>

namespace weft {

/// What a step frees the next one asks for: pages that go back to the system in between are cleared each time. To be
/// called first.
inline void keep_what_is_freed() {
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest there is
}

}  // namespace weft
