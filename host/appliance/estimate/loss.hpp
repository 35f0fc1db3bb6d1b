/// Cycles of the loss: part by part, none beside another.
#pragma once

#include "sw/machine/shape.hpp"

namespace weft {

/// `tokens`: of a column, with padding; `features`: logits of the fullest row.
double loss_cycles(const WaferShape& wafer, int tokens, int features);

}  // namespace weft
