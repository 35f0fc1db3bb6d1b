/// The arrays of a memory plan, by name.
#pragma once

#include <vector>

#include "sw/compiler/memory/memory_plan.hpp"
#include "sw/compiler/plan/symbols.hpp"

namespace weft::compiler {

/// All arrays of a plan, by ascending address.
std::vector<ArraySymbol> array_symbols(const MemoryPlan& memory);

}  // namespace weft::compiler
