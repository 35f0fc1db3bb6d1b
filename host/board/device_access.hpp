/// Rights to a device node, and the processes that have the node open.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weft::board {

struct DeviceAccess {
  bool exists = false;
  bool may_open = false;   ///< this process, for reading and writing
  std::string group;       ///< that owns the node, by name or number
  bool group_may = false;  ///< the node lets its group read and write
  /// The group database has this user in that group: a new login would have it.
  bool member = false;
};

DeviceAccess device_access(const std::filesystem::path& node);

/// "process 1234 (picocom)" for each that has `node` open, as far as this user may see. `proc`: "/proc".
std::vector<std::string> holders(const std::filesystem::path& proc, const std::filesystem::path& node);

}  // namespace weft::board
