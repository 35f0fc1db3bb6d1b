/// Cache of open files, for more files than may be open at a time.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "host/checkpoint/file.hpp"

namespace weft::data {

/// Opens a regular file for reading. Throws Refusal with the system's message.
Descriptor open_to_read(const std::string& path);

/// Keeps the most recently used files open. A corpus may have thousands of shards, whereas the system usually permits
/// 1024 descriptors, some of which the wafers need. The caller must verify that a file that was opened again has the
/// expected contents. Thread-safe.
class OpenFiles {
 public:
  /// Keeps at most `most` files; 0: an eighth of the system's limit, and at least 1.
  explicit OpenFiles(std::size_t most = 0);

  /// The file stays open as long as the result lives. Throws as `open_to_read`.
  std::shared_ptr<const Descriptor> get(const std::string& path);

 private:
  struct Open {
    std::string path;
    std::shared_ptr<const Descriptor> file;
  };
  std::size_t most_;
  std::mutex mutex_;
  std::list<Open> open_;  // the most recently used file is first
};

}  // namespace weft::data
