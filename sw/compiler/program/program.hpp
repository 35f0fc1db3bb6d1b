/// The kernels, assembled for one shape.
#pragma once

#include "sw/asm/program.hpp"
#include "sw/compiler/graph/operation_lowering.hpp"
#include "sw/compiler/program/kernels.hpp"

namespace weft::compiler {

/// Assembles the kernels of sw/kernels that the model's network needs, with the shape's constants. The program does not
/// grow with the depth of the model: the stream has the order of layers. Kernels that few networks call are included
/// only if they are among `kernels`.
assembler::Program assemble_kernels(const KernelShape& shape, const Kernels& kernels);

}  // namespace weft::compiler
