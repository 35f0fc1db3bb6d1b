/// Selection of a program's kernels.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "sw/asm/program.hpp"
#include "sw/compiler/graph/graph.hpp"
#include "sw/compiler/memory/memory_plan.hpp"
#include "sw/compiler/model/model_shape.hpp"
#include "sw/compiler/program/kernels.hpp"
#include "sw/machine/shape.hpp"

namespace weft::compiler {

/// The files of sw/kernels that the network's operations or all networks need. If these have no room, leaves out, until
/// they have: kernels that are not among `kernels`, affine_interleaved, gradient_norm, fallbacks, and at last, with the
/// fallbacks back, interleaved outputs. `texts` keeps texts that differ from their files. Throws Refusal if there is
/// still no room.
std::vector<assembler::Source> sources_of(const Graph& graph, const ModelShape& model, const machine::WaferShape& wafer,
                                          const MemoryPlan& memory, const Kernels& kernels,
                                          std::deque<std::string>& texts);

}  // namespace weft::compiler
