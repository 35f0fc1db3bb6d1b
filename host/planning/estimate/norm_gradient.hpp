/// Gradients of a norm's scale and shift, computed in groups of slots (gradient_norm, docs/explanation/kernels.md).
#pragma once

#include <cstdint>

#include "host/planning/estimate/calls.hpp"
#include "sw/machine/shape.hpp"

namespace weft::planning {

/// Cycles of such a call, with `tokens` tokens per column.
double norm_gradient_cycles(const StreamCall& call, const machine::WaferShape& wafer, int tokens);

/// Beats of a row with `elements` indices.
std::uint64_t norm_gradient_beats(const StreamCall& call, const machine::WaferShape& wafer, int tokens,
                                  std::uint64_t elements);

}  // namespace weft::planning
