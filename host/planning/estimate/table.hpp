/// Interval between beats with a table function (docs/pe.md, Pipeline).
#pragma once

#include <algorithm>

#include "sw/machine/shape.hpp"

namespace weft {

/// In cycles: each of at most four units looks up two lanes per cycle.
inline double table_cycles(const WaferShape& wafer) { return std::clamp(wafer.lanes / 2, 1, 4); }

}  // namespace weft
