/// A line of a rank's log: what happens to the swarm, when.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// "12:34:56 swarm   wafer 3 is here", with its newline.
std::string log_line(std::string_view text);

}  // namespace weft
