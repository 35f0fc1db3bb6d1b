/// `weft check`: certifies the compiled program of a configuration deadlock-free, or reports the deadlock cycle.
#pragma once

#include <iosfwd>
#include <map>
#include <string>

#include "host/config/config.hpp"
#include "host/system/progress.hpp"

namespace weft::inspect {

/// Prints a line per phase while checking, then the verdict. `options`: "check.out": a file for the orders;
/// "check.dot": one for the dependency graphs. Returns 0 if certified, 1 if not. Throws Refusal for errors that the
/// user can correct. Needs neither data nor a wafer; the values of weights and tokens do not matter, only the sparsity
/// pattern does. `progress`: may be null.
int check_command(const config::Config& config, const std::map<std::string, std::string>& options, std::ostream& out,
                  system::Progress* progress = nullptr);

}  // namespace weft::inspect
