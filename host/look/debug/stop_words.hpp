/// A stop as it is typed.
#pragma once

#include <string>
#include <vector>

#include "host/look/debug/stops.hpp"

namespace weft::debug {

/// `words`: "break", and what follows. Memory is that of `tile`. Throws Refusal.
Stop read_stop(const Live& target, TilePlace tile, const std::vector<std::string>& words);

}  // namespace weft::debug
