/// `weft trail` and `weft bisect` (docs/bisect.md).
#pragma once

#include <filesystem>
#include <iosfwd>

#include "host/config/arguments.hpp"

namespace weft::bisect {

/// Records what `config` does. Options: level, step, wafer, phase, tile, out. Throws Refusal.
int trail_command(const Config& config, const std::map<std::string, std::string>& options, std::ostream& out);

/// Options: a, b, out. `program`: what runs where a side names no program. Returns 1 if a difference was found. Throws
/// Refusal.
int bisect_command(const Arguments& arguments, const std::filesystem::path& program, std::ostream& out);

}  // namespace weft::bisect
