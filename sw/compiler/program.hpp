/// The kernels, assembled for one shape.
#pragma once

#include "sw/asm/assembler.hpp"
#include "sw/compiler/memory_plan.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// Assembles what the model's network calls of sw/kernels, with the shape's constants. The program does not grow with
/// the depth of the model: layer order lives in the stream.
Program assemble_kernels(const ModelShape& model, const WaferShape& wafer, const MemoryPlan& memory);

}  // namespace weft
