/// Cost of a kernel call for a row, found by interpreting the program without data.
///
/// The tiles of a row run in lockstep, and kernels branch only on arguments and the row's constants
/// (docs/explanation/kernels.md). Therefore, registers and control registers suffice to determine the beats and their
/// times.
#pragma once

#include "host/planning/estimate/calls.hpp"
#include "host/planning/estimate/kernels/kernel_cost.hpp"
#include "sw/asm/program.hpp"
#include "sw/machine/shape.hpp"

namespace weft::planning {

/// Applies to kernels whose psum works only while main waits for it: all except GEMMs and gradients. Throws
/// std::logic_error for an instruction that such kernels do not have.
KernelCost interpret(const assembler::Program& program, const machine::WaferShape& wafer, const StreamCall& call,
                     const KernelRow& row);

}  // namespace weft::planning
