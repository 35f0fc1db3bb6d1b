/// Which kernels a program has.
#pragma once

#include <deque>
#include <set>
#include <string>
#include <vector>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/graph.hpp"
#include "sw/compiler/memory_plan.hpp"

namespace weft {

/// Of sw/kernels what the network's operations call, and what all need: by files; where that has no room, without
/// gradient_norm, and then without all that is not `called` (Lowering::kernels_of). `texts` keeps what is no file as
/// it is. Throws Refusal if there is no room even so.
std::vector<Source> sources_of(const Graph& graph, const ModelShape& model, const WaferShape& wafer,
                               const MemoryPlan& memory, const std::set<std::string>& called,
                               std::deque<std::string>& texts);

}  // namespace weft
