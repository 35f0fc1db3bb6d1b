/// The kernels, assembled for one shape.
#pragma once

#include <set>
#include <string>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/memory_plan.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// Assembles what the model's network needs of sw/kernels, with the shape's constants. The program does not grow with
/// the depth of the model: layer order lives in the stream. `called`: kernels that are called (Lowering::kernels_of);
/// what few networks call is there only then.
Program assemble_kernels(const ModelShape& model, const WaferShape& wafer, const MemoryPlan& memory,
                         const std::set<std::string>& called);

}  // namespace weft
