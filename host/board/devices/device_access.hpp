/// Access rights to a device node, and the processes that have it open.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weft::board {

struct DeviceAccess {
  bool exists = false;
  bool may_open = false;   ///< this process, for reading and writing
  std::string group;       ///< owning group of the node, by name or number
  bool group_may = false;  ///< the node grants its group reading and writing
  /// The group database lists this user in that group, so a new login would be a member.
  bool member = false;
};

DeviceAccess device_access(const std::filesystem::path& node);

/// "process 1234 (picocom)" for each process with `node` open, as far as this user can see. `proc`: "/proc".
std::vector<std::string> holders(const std::filesystem::path& proc, const std::filesystem::path& node);

}  // namespace weft::board
