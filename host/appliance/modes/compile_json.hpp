/// What compile_only says, for programs.
#pragma once

#include <iosfwd>
#include <vector>

#include "host/appliance/modes/phases.hpp"
#include "host/config/config.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// An object a line: facts as weft-bench's {bench, name, value, unit}: memory of a PE by use, MemoryX's bytes, what a
/// micro-batch moves and, at `mhz`, how fast; then each phase, and all of them.
void print_compiled_json(const Config& config, const Plan& plan, const std::vector<Phase>& phases, double mhz,
                         std::ostream& out);

}  // namespace weft
