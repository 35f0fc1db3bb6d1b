/// The lock under which this process creates files.
#pragma once

#include <mutex>

namespace weft::checkpoint {

/// Held while a file is created and its name recorded. The thread that ends the program on a signal locks it forever,
/// so that no file is created afterwards.
inline std::recursive_mutex& making() {
  static std::recursive_mutex mutex;
  return mutex;
}

}  // namespace weft::checkpoint
