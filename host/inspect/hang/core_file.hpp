/// Reads and writes core dumps.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "sw/deadlock/core_dump.hpp"

namespace weft::inspect {

/// Writes `core` to `file` atomically. Throws Refusal.
void write_core(const deadlock::Core& core, const std::filesystem::path& file);

/// Throws Refusal, and DamagedFile if the file is damaged.
deadlock::Core read_core(const std::string& file);

/// Prints the state of a tile: registers, control registers, queues, and the positions of its threads. Throws as
/// read_core, and Refusal if the tile does not exist.
void show_tile(const std::string& file, int row, int col, std::ostream& out);

}  // namespace weft::inspect
