/// The memory that a control group leaves its processes.
#pragma once

#include <filesystem>
#include <limits>
#include <string_view>

namespace weft {

/// Bytes: the least limit of the groups of memory that a process is in, from its own to the outermost that can be seen;
/// infinity if none has one. `groups`: what /proc/self/cgroup says, a line "number:controllers:/path" for each
/// hierarchy, without controllers of version 2. `root`: where hierarchies are mounted, as in /sys/fs/cgroup.
double memory_limit(std::string_view groups, const std::filesystem::path& root);

}  // namespace weft
