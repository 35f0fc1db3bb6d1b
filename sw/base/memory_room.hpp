/// Memory that this process may use within the limits of the machine, of its control groups and of its own (ulimit).
///
/// A loader calls memory_room() before it allocates much, and holds a MemoryBound while it allocates an amount that it
/// cannot know beforehand. Otherwise the system would end the process by SIGKILL, without a message.
#pragma once

#include <filesystem>
#include <string>

namespace weft {

struct MemoryRoom {
  double limit;    ///< bytes in all, some of which other processes may use; infinity: unknown
  double left;     ///< bytes that this process may still take
  std::string of;  ///< name of the limit that leaves least: "the control group's limit memory.max"

  /// "812 MiB of 1 GiB are left (the control group's limit memory.max)".
  std::string text() const;
};

/// Folders in which the system describes itself; a test has folders of its own.
struct MemorySources {
  std::filesystem::path proc = "/proc", groups = "/sys/fs/cgroup";
  /// Includes RLIMIT_AS and RLIMIT_DATA, which do not depend on these folders.
  bool own_limits = true;
};

/// The limit that leaves least memory, among all of the above; control groups are of both versions, from this process's
/// to the outermost visible one.
MemoryRoom memory_room(const MemorySources& sources = {});

/// The least limit: bytes that this process may have in all, independent of current usage. Infinity: unknown.
double memory_limit(const MemorySources& sources = {});

/// "924 MiB", "1 GiB", "20 bytes".
std::string memory_text(double bytes);

/// While a MemoryBound exists, an allocation beyond the available memory fails in all threads, with std::bad_alloc in
/// C++. (The soft limit RLIMIT_DATA is lowered meanwhile; forked processes inherit it.)
class MemoryBound {
 public:
  MemoryBound();
  ~MemoryBound();
  MemoryBound(const MemoryBound&) = delete;
  MemoryBound& operator=(const MemoryBound&) = delete;
};

}  // namespace weft
