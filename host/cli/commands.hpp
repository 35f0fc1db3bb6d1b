/// Commands of `weft` that need a whole wafer. Each prints to standard output, returns the program's exit code, and
/// throws Refusal at the place where the key at fault was set.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/config/command_line/arguments.hpp"
#include "host/config/config.hpp"
#include "host/ranks/rank_log.hpp"

namespace weft::cli {

/// `weft run`. Sets `log` to the log of a training rank; it must outlive the report of a failure.
int run_command(const config::Arguments& arguments, config::Config config, std::unique_ptr<ranks::RankLog>& log);

/// `weft check`.
int check_command(const config::Arguments& arguments);

/// Commands that inspect a wafer: waves, profile, debug, bisect, fingerprint. `weft` executes the program weft-inspect
/// with `words`; weft-inspect runs the command.
int inspect_command(const config::Arguments& arguments, const std::vector<std::string>& words);

}  // namespace weft::cli
