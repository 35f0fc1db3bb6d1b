/// The kernels, assembled for one shape.
#pragma once

#include <set>
#include <string>

#include "sw/asm/program.hpp"
#include "sw/compiler/graph/operation_lowering.hpp"

namespace weft::compiler {

/// Kernels that a program needs (Lowering::kernels_of).
struct Kernels {
  std::set<std::string> called;     ///< without a mask, or with any
  std::set<std::string> fallbacks;  ///< with some masks, in place of a kernel of interleaved outputs
};

/// Assembles the kernels of sw/kernels that the model's network needs, with the shape's constants. The program does not
/// grow with the depth of the model: the stream has the order of layers. Kernels that few networks call are included
/// only if they are among `kernels`.
assembler::Program assemble_kernels(const KernelShape& shape, const Kernels& kernels);

}  // namespace weft::compiler
