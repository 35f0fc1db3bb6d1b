/// `weft check`: certifies a configuration's compiled program, or names the circle that breaks it.
#pragma once

#include <iosfwd>
#include <map>
#include <string>

#include "host/config/config.hpp"

namespace weft {

/// Prints a line for each phase as it goes, and the verdict. `options`: "check.out": a file for the orders,
/// "check.dot": one for the dependency graphs. Returns 0 if certified, 1 if not. Throws Refusal for what the user can
/// mend. Needs no data and no wafer; weights and tokens do not count, only which weights there are (sparsity).
int check_command(const Config& config, const std::map<std::string, std::string>& options, std::ostream& out);

}  // namespace weft
