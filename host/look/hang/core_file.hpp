/// Core dumps as files.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "sw/hang/core.hpp"

namespace weft {

/// Writes `core` to `file`, whole or not at all. Throws Refusal.
void write_core(const hang::Core& core, const std::filesystem::path& file);

/// Throws Refusal, and DamagedFile if it is not as it was written.
hang::Core read_core(const std::string& file);

/// The state of a tile: registers, control registers, queues, and what its threads are at. Throws as read_core, and
/// Refusal if the tile is not there.
void show_tile(const std::string& file, int row, int col, std::ostream& out);

}  // namespace weft
