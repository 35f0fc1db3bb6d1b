/// Cost of a kernel call, and the properties of a row that affect it.
#pragma once

#include <cstdint>
#include <functional>

#include "sw/compiler/placement/row_constants.hpp"

namespace weft::planning {

struct KernelCost {
  std::uint64_t beats = 0;    ///< as the functional model counts them: the mean over columns
  double cycles = 0;          ///< from the call until main halts
  std::uint64_t reads = 0;    ///< main's reads of memory, in the half with more reads
  std::uint64_t fetches = 0;  ///< cycles in which main's second operand was read alone
};

/// Properties of a row that affect a kernel.
struct KernelRow {
  int row = 0;
  compiler::RowConstants constants;
  /// Number of weights for this row in line k of the call's stream.
  std::function<int(int)> weights;
};

}  // namespace weft::planning
