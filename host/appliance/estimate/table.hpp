/// How far apart beats with a table function are (docs/pe.md, Pipeline).
#pragma once

#include <algorithm>

#include "sw/machine/shape.hpp"

namespace weft {

/// In cycles: two lanes look up in one, in at most four units.
inline double table_cycles(const WaferShape& wafer) { return std::clamp(wafer.lanes / 2, 1, 4); }

}  // namespace weft
