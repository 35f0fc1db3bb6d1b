/// What a configuration must satisfy to become a plan. All throw CompileError with what to change.
#pragma once

#include "sw/asm/assembler.hpp"
#include "sw/compiler/memory_plan.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// Ranges and divisibility.
void check_shapes(const ModelShape& model, const WaferShape& wafer);

/// SRAM, accumulator file and index width.
void check_fit(const ModelShape& model, const WaferShape& wafer, const Spaces& spaces, const MemoryPlan& memory);

/// Instruction memory.
void check_program(const Program& program);

}  // namespace weft
