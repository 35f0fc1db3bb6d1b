/// Files that are read now and then, more of them than may be open.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "host/checkpoint/file.hpp"

namespace weft {

/// A regular file, opened to be read. Throws Refusal with the system's own words.
Descriptor open_to_read(const std::string& path);

/// Keeps the files open that were read last. A corpus may have thousands of shards, the system allows 1024 descriptors
/// as a rule, and the wafers need some, too: one for each shard would make the corpus a matter of `ulimit`. Whoever
/// reads a file that was opened again has to see for himself that it is what it was. Thread-safe.
class OpenFiles {
 public:
  /// Keeps `most` files; 0: an eighth of what the system allows, and at least 1.
  explicit OpenFiles(std::size_t most = 0);

  /// Open as long as the result lives. Throws as `open_to_read`.
  std::shared_ptr<const Descriptor> get(const std::string& path);

 private:
  struct Open {
    std::string path;
    std::shared_ptr<const Descriptor> file;
  };
  std::size_t most_;
  std::mutex mutex_;
  std::list<Open> open_;  // the one used last is first
};

}  // namespace weft
