/// Temporary names of files and folders that are being written, until a rename moves them into place.
///
///   .NAME.weft-part.PLACE.PID.START.N
///
/// No two writers share a name: PLACE is a checksum of the machine's boot and the process namespace, PID and START
/// (ticks of the boot's clock, hexadecimal) identify the process, N counts names within the process. A process of the
/// same PLACE can therefore check that the writer still runs.
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
  Elsewhere,  ///< a process of another machine, boot or container, of unknown state
};
PartWriter part_writer(std::string_view file_name);

/// Removes files and folders that ended processes left in `folder`. `all`: also those of other places and of older
/// versions, for a caller that holds the lock of the folder.
void remove_left_parts(const std::filesystem::path& folder, bool all = false);

}  // namespace weft
