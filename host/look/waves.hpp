/// `weft waves`: what tiles do in one phase of a training step, as a trace for GTKWave.
#pragma once

#include <filesystem>
#include <iosfwd>

#include "host/config/config.hpp"
#include "host/config/options.hpp"

namespace weft {

/// Options: step, phase (or `list`), tile, cycles, wafer, out. Returns the exit code:
/// 1 if the RTL has not done what the model does. Throws Refusal.
int waves(const Config& config, const Options& options, std::ostream& out);

/// The names of all phases, a line each.
void list_phases(const Config& config, std::ostream& out);

}  // namespace weft
