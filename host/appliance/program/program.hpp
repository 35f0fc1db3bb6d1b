/// The program `weft`, but for what becomes of what it throws.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/appliance/ranks/rank_log.hpp"

namespace weft {

/// Does what the words of a command line ask for, and returns the exit code. `log`: as in run_command. Throws Refusal
/// and whatever a run fails of.
int program(const std::vector<std::string>& words, std::unique_ptr<RankLog>& log);

}  // namespace weft
