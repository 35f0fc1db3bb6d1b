/// The commands of `weft` that want a whole wafer. Each prints to standard output, returns the program's exit code, and
/// throws Refusal of the place where a key that is to blame was set.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/appliance/ranks/rank_log.hpp"
#include "host/config/arguments.hpp"
#include "host/config/config.hpp"

namespace weft {

/// `weft run`. `log` becomes that of a rank that trains; it is to outlive what is said of a failure.
int run_command(const Arguments& arguments, Config config, std::unique_ptr<RankLog>& log);

/// `weft check`.
int check_command(const Arguments& arguments);

/// The commands that look inside a wafer: waves, profile, debug, bisect, trail. In `weft` another program, weft-look,
/// does what the `words` say; in weft-look they are done.
int look_command(const Arguments& arguments, const std::vector<std::string>& words);

}  // namespace weft
