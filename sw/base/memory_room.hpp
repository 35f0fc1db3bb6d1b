/// Memory that this process may use: of the machine, of its control groups and of its own limits (ulimit).
///
/// A loader asks memory_room() before it allocates much, and holds a MemoryBound while it allocates what it cannot know
/// beforehand: the system would end the process by SIGKILL, without a message.
#pragma once

#include <filesystem>
#include <string>

namespace weft {

struct MemoryRoom {
  double limit;    ///< bytes in all, of which others may have used some; infinity: not known
  double left;     ///< bytes that this process may still take
  std::string of;  ///< who sets the limit that leaves least: "the control group's limit memory.max"

  /// "812 MiB of 1 GiB are left (the control group's limit memory.max)".
  std::string text() const;
};

/// Folders in which the system describes itself; a test has folders of its own.
struct MemorySources {
  std::filesystem::path proc = "/proc", groups = "/sys/fs/cgroup";
  /// RLIMIT_AS and RLIMIT_DATA, which no file can set lower.
  bool own_limits = true;
};

/// The least that is left by any of them: control groups of both versions, from this process's to the outermost that
/// can be seen.
MemoryRoom memory_room(const MemorySources& sources = {});

/// Bytes that this process may have in all, whatever is in use now: the least limit. Infinity: not known.
double memory_limit(const MemorySources& sources = {});

/// "924 MiB", "1 GiB", "20 bytes".
std::string memory_text(double bytes);

/// While one lives, an allocation for which there is no room fails, with std::bad_alloc in C++, in all threads. (The
/// soft limit RLIMIT_DATA is lower meanwhile. A process that is forked inherits that.)
class MemoryBound {
 public:
  MemoryBound();
  ~MemoryBound();
  MemoryBound(const MemoryBound&) = delete;
  MemoryBound& operator=(const MemoryBound&) = delete;
};

}  // namespace weft
