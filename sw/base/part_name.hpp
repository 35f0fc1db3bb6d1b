/// Names of files and folders in the making, until a rename puts them in their places.
///
///   .NAME.weft-part.PLACE.PID.START.N
///
/// No two writers share a name: PLACE is a checksum of the machine's boot and the process namespace, PID and START
/// (ticks of the boot's clock, hexadecimal) are the process, N counts in it. A process of the same PLACE can therefore
/// tell whether the writer still runs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace weft {

/// A new name of this process for `name`, which is cut where the whole would be too long for a file system.
std::string part_name(std::string_view name);

enum class PartWriter {
  None,       ///< not such a name
  Runs,       ///< the process runs
  Ended,      ///< the process ended and left the file
  Elsewhere,  ///< a process of another machine, boot or container; nobody here can tell
};
PartWriter part_writer(std::string_view file_name);

/// Removes files and folders that ended processes left in `folder`. `all`: also those of other places, for a caller
/// that holds the lock of the folder.
void remove_left_parts(const std::filesystem::path& folder, bool all = false);

}  // namespace weft
