/// Cycles of an all-reduce over a column or a group of its rows: south row by row, and north again (docs/kernels.md,
/// All-reduce).
#pragma once

namespace weft {

inline double all_reduce_cycles(int words, int rows) {
  constexpr double kHop = 28;    // a row, down and up again
  constexpr int kUnderWay = 64;  // of so many words the last row sends the total as it comes (sw/kernels/reduce.s)
  const double sent = words > kUnderWay ? 2.0 * words : words;
  return rows > 1 ? sent + kHop * rows : 0;
}

}  // namespace weft
