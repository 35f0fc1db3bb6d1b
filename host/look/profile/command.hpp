/// `weft profile`: where the cycles of a micro-batch go.
#pragma once

#include <iosfwd>

#include "host/config/config.hpp"
#include "host/config/options.hpp"

namespace weft {

/// Options: json, perfetto (files), png (a folder), layers (yes: each of its own), color (yes, no; by default if `out`
/// is a terminal: `terminal`). Compiles the plan, begins with runconfig.checkpoint_path, or the newest checkpoint of
/// model_dir, or the seed, and runs the first micro-batch of the next step on the RTL, or on the board that the
/// configuration names. Writes nothing else. Returns the exit code. Throws Refusal.
int profile_command(const Config& config, const Options& options, bool terminal, std::ostream& out);

}  // namespace weft
