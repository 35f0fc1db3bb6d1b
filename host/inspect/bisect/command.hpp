/// `weft fingerprint` and `weft bisect` (docs/howto/bisect.md).
#pragma once

#include <filesystem>
#include <iosfwd>

#include "host/config/command_line/arguments.hpp"
#include "host/system/progress.hpp"

namespace weft::inspect::bisect {

// `progress`, if given, displays the progress.

/// Records a fingerprint of the run that `config` describes. Options: level, step, wafer, phase, tile, out. Throws
/// Refusal.
int fingerprint_command(const config::Config& config, const std::map<std::string, std::string>& options,
                        std::ostream& out, system::Progress* progress = nullptr);

/// Options: a, b, out. `program`: the executable for a side that names none. Returns 1 if a difference was found.
/// Throws Refusal.
int bisect_command(const config::Arguments& arguments, const std::filesystem::path& program, std::ostream& out,
                   system::Progress* progress = nullptr);

}  // namespace weft::inspect::bisect
