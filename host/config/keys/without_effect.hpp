/// Finds keys that are set but have no effect: they belong to another backend or mode, or another key disables them.
#pragma once

#include <string>
#include <vector>

#include "host/config/config.hpp"

namespace weft::config {

/// Notes such as "note    wafer.depth: has no effect: applies to the functional model, but wafer.backend is rtl", one
/// per line. A parameter file serves several runs, so its keys are noted only if they differ from the default, the
/// reason is not on the command line, and they do not belong to another mode. `several_processes`: the run consists of
/// several processes.
std::vector<std::string> notes_without_effect(const Config& config, bool several_processes = false);

}  // namespace weft::config
