/// Cycles of an all-reduce over a column or a group of its rows: south row by row, and north again (docs/kernels.md,
/// All-reduce).
#pragma once

#include <algorithm>

namespace weft {

inline double all_reduce_cycles(int words, int rows) {
  constexpr double kHop = 28;    // per row, down and up again
  constexpr int kUnderWay = 64;  // up to this many words, the last row sends the total as it arrives
                                 // (sw/kernels/reduce.s)
  constexpr int kTurned = 24;    // saves at most this many cycles: the row before first takes all words south
  const double sooner = words > kUnderWay ? 0 : std::min(words, kTurned);
  return rows > 1 ? 2.0 * words + kHop * rows - sooner : 0;
}

}  // namespace weft
