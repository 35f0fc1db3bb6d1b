/// Parses the breakpoint commands.
#pragma once

#include <string>
#include <vector>

#include "host/inspect/debug/breakpoints.hpp"

namespace weft::inspect::debug {

/// `words`: "break" and its arguments. Memory expressions are resolved in `tile`. Throws Refusal.
Breakpoint read_stop(const LiveTarget& target, sim::TilePlace tile, const std::vector<std::string>& words);

}  // namespace weft::inspect::debug
