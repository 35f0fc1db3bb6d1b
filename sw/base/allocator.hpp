/// Settings of the C library's allocator for all programs of the project.
#pragma once

#include <malloc.h>

namespace weft {

/// Keeps freed memory in the process: a training step allocates again what the previous step freed, and pages returned
/// to the system in between would be cleared each time. Call before anything is allocated.
inline void keep_what_is_freed() {
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest value that glibc accepts
}

}  // namespace weft
