/// Implements the program `weft`, except for the handling of its exceptions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/ranks/rank_log.hpp"

namespace weft::cli {

/// Executes a command line and returns the exit code. `log`: as in run_command. Throws Refusal, and any exception of a
/// failed run.
int program(const std::vector<std::string>& words, std::unique_ptr<ranks::RankLog>& log);

}  // namespace weft::cli
