/// Cycles of an all-reduce over a column: south row by row, and north again (docs/kernels.md, All-reduce).
#pragma once

#include "sw/machine/shape.hpp"

namespace weft {

inline double all_reduce_cycles(const WaferShape& wafer, int words) {
  constexpr double kHop = 28;  // a row, down and up again
  return wafer.rows > 1 ? 2.0 * words + kHop * wafer.rows : 0;
}

}  // namespace weft
