/// Formats a line of a rank's log about an event in the swarm.
#pragma once

#include <string>
#include <string_view>

namespace weft::ranks {

/// "12:34:56 swarm   wafer 3 has joined", with its newline. `text` is escaped to one line, as it may have names of
/// peers.
std::string log_line(std::string_view text);

}  // namespace weft::ranks
