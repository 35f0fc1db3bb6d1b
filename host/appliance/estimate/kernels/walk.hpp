/// What a call of a kernel costs a row: its program, instruction by instruction, without a value.
///
/// A row runs in step, and kernels branch on arguments and on the row's constants alone (docs/kernels.md). So registers
/// and control registers are all it takes to know which beats there will be, and when.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "host/appliance/estimate/calls.hpp"
#include "host/appliance/estimate/kernels/beats.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

struct KernelCost {
  std::uint64_t beats = 0;    ///< as the functional model counts them, the mean over columns
  double cycles = 0;          ///< from the call until main halts
  std::uint64_t reads = 0;    ///< of memory, main's: of the half of it that has more
  std::uint64_t fetches = 0;  ///< cycles of main in which a second operand was read alone
};

/// A row to a kernel.
struct KernelRow {
  int row = 0;
  RowConstants constants;
  /// Weights that line k of the call's stream has for this row.
  std::function<int(int)> weights;
};

/// Of kernels whose psum works only while main waits for it: all but GEMMs and gradients. Throws std::logic_error if an
/// instruction is not one of such a kernel.
KernelCost walk(const Program& program, const WaferShape& wafer, const StreamCall& call, const KernelRow& row);

}  // namespace weft
