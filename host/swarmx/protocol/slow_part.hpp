/// The part of a member that makes the member slow: link, compute or process.
#pragma once

#include <optional>
#include <string>

#include "host/swarmx/protocol/status.hpp"

namespace weft::swarmx {

/// "its link", "its compute" or "its process" with the numbers that show it, for `weft status` and the log. A member
/// that computes most of the time in which it has a task has a slow compute thread; one whose process does not run is
/// stopped, or its machine is overloaded; any other waits for its link.
///
/// `busy`: share of that time, if known; `pace`: seconds of its last micro-batch; `usual`: median of the others'.
std::string slow_part(const Load& load, std::optional<double> busy, double pace, double usual);

/// Why a slow member's connection is closed: "on HOST, it stays slow: CAUSE; ...".
std::string disconnect_text(const RankStatus& status);

}  // namespace weft::swarmx
