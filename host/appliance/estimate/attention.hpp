/// What attention waits for besides its beats (docs/kernels.md, Attention).
#pragma once

#include "sw/compiler/plan.hpp"

namespace weft {

/// In cycles: all heads and sequences of the fullest row, forward or `back`. `kernels_called`: of the op.
double attention_waits(const Plan& plan, bool back, int kernels_called);

}  // namespace weft
