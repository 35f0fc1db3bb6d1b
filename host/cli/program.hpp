/// Implements the programs `weft` and `weft-inspect`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/cli/commands.hpp"
#include "host/ranks/rank_log.hpp"

namespace weft::cli {

/// Executes a command line and returns the exit code. `log`: as in run_command. Throws Refusal, and any exception of a
/// failed run. `inspection`: null in `weft`, which executes weft-inspect for a command or an option that it does not
/// have.
int program(const std::vector<std::string>& words, std::unique_ptr<ranks::RankLog>& log, const Inspection* inspection);

/// Executes the command line of `main`, prints the message of an exception, and returns the exit code: 0 done, 1 the
/// run or the machine failed, 2 user error, 130 interrupted.
int program_main(int argc, char** argv, const Inspection* inspection);

}  // namespace weft::cli
