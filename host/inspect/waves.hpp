/// `weft waves`: traces tiles in one phase of a training step for GTKWave.
#pragma once

#include <filesystem>
#include <iosfwd>

#include "host/config/command_line/options.hpp"
#include "host/config/config.hpp"
#include "host/system/progress.hpp"

namespace weft::inspect {

/// Options: step, phase (or `list`), tile, cycles, wafer, out. Returns the exit code: 1 if the RTL and the model
/// differ. `progress`, if given, displays the progress. Throws Refusal.
int waves(const config::Config& config, const config::Options& options, std::ostream& out,
          system::Progress* progress = nullptr);

/// Prints the names of all phases, one per line.
void list_phases(const config::Config& config, std::ostream& out);

}  // namespace weft::inspect
