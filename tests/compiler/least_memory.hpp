/// The smallest SRAM of a tile that a model fits.
#pragma once

#include "sw/compiler/memory/memory_plan.hpp"

namespace weft::compiler {

/// `wafer` with the smallest SRAM that holds the model's memory plan.
inline machine::WaferShape with_least_memory(const ModelShape& model, machine::WaferShape wafer) {
  const Spaces spaces(model, wafer.rows);
  for (wafer.sram_kib = 1; MemoryPlan(model, wafer, spaces).end > wafer.sram_elements();) ++wafer.sram_kib;
  return wafer;
}

}  // namespace weft::compiler
