/// Cost of a kernel call for a row, found by interpreting the program without data.
///
/// The tiles of a row run in lockstep, and kernels branch only on arguments and the row's constants
/// (docs/explanation/kernels.md). Therefore, registers and control registers suffice to determine the beats and their
/// times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "host/planning/estimate/calls.hpp"
#include "sw/asm/program.hpp"
#include "sw/compiler/placement/row_constants.hpp"
#include "sw/machine/shape.hpp"

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
  std::size_t drop_flag = 0;  ///< address of the flag with which tiles drop, as in training; 0: there is none
};

/// Applies to kernels whose psum works only while main waits for it: all except GEMMs and gradients. Throws
/// std::logic_error for an instruction that such kernels do not have.
KernelCost interpret(const assembler::Program& program, const machine::WaferShape& wafer, const StreamCall& call,
                     const KernelRow& row);

}  // namespace weft::planning
