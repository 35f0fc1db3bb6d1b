/// Machine-readable output of compile_only.
#pragma once

#include <iosfwd>
#include <vector>

#include "host/cli/modes/modes.hpp"
#include "host/config/config.hpp"
#include "host/planning/phases.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::cli {

/// Prints an object per line. First facts in the format of weft-bench, {bench, name, value, unit}: memory of a PE by
/// use, MemoryX's bytes, data moved per micro-batch, and rates at the options' clock; and what was chosen for settings
/// that were auto; then each phase, and their total.
void print_compiled_json(const config::Config& config, const compiler::Plan& plan,
                         const std::vector<planning::Phase>& phases, const CompileOptions& options, std::ostream& out);

}  // namespace weft::cli
