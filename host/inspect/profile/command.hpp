/// `weft profile`: shows where the cycles of a micro-batch are spent.
#pragma once

#include <iosfwd>

#include "host/config/command_line/options.hpp"
#include "host/config/config.hpp"
#include "host/system/progress.hpp"

namespace weft::inspect {

/// Options: json, perfetto (files), png (a folder), layers (yes: each layer separately), color (yes, no; default:
/// `terminal`, which is true if `out` is a terminal). Compiles the plan, starts from runconfig.checkpoint_path, the
/// newest checkpoint of model_dir, or the seed, and runs the first micro-batch of the next step on the RTL, or on the
/// board that the configuration names. Writes nothing else. `progress`: may be null. Returns the exit code. Throws
/// Refusal.
int profile_command(const config::Config& config, const config::Options& options, bool terminal, std::ostream& out,
                    system::Progress* progress = nullptr);

}  // namespace weft::inspect
