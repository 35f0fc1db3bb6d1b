/// Core dumps as files.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <map>
#include <string>

#include "sw/hang/core.hpp"

namespace weft {

/// Writes `core` to `file`, whole or not at all. Throws Refusal.
void write_core(const hang::Core& core, const std::filesystem::path& file);

/// Throws Refusal, and DamagedFile if it is not as it was written.
hang::Core read_core(const std::string& file);

/// What `weft debug FILE` says of a core dump: the report of its standstill. With a tile, the state of that, too:
/// registers, control registers, queues, and what its threads are at. Throws as read_core, and Refusal for a tile that
/// is not there.
void show_core(const std::string& file, std::ostream& out);
/// With `options` as the command has them: "core", a file, and "tile", R,C. Returns 0.
int debug_command(const std::map<std::string, std::string>& options, std::ostream& out);
void show_tile(const std::string& file, int row, int col, std::ostream& out);

}  // namespace weft
