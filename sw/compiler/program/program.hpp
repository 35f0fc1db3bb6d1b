/// The kernels, assembled for one shape.
#pragma once

#include <set>
#include <string>

#include "sw/asm/program.hpp"
#include "sw/compiler/graph/operation_lowering.hpp"

namespace weft::compiler {

/// Assembles the kernels of sw/kernels that the model's network needs, with the shape's constants. The program does not
/// grow with the depth of the model: the stream has the order of layers. `called`: kernels that are called
/// (Lowering::kernels_of); kernels that few networks call are included only if they are among these.
assembler::Program assemble_kernels(const KernelShape& shape, const std::set<std::string>& called);

}  // namespace weft::compiler
