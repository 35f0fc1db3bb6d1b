/// Keys that are set and change nothing: of another backend or mode, or switched off by another key.
#pragma once

#include <string>
#include <vector>

#include "host/config/config.hpp"

namespace weft {

/// "note    wafer.depth: has no effect: it is of the functional model, and wafer.backend is rtl", a line each. A
/// parameter file serves several runs: of its keys only those are named that differ from their default and whose
/// reason is not the command line's, and none that belong to another mode.
std::vector<std::string> notes_without_effect(const Config& config);

}  // namespace weft
