/// Cycles of a gradient pass: who waits for whom, group by group of a row's indices (docs/kernels.md, docs/pe.md).
#pragma once

#include <vector>

#include "host/appliance/estimate/calls.hpp"

namespace weft {

/// As gemm_cycles. Of gradient, gradient_onehot, and gradient_local, whose vectors go round no ring (`homes` is not
/// used).
double gradient_cycles(const StreamCall& call, const WaferShape& wafer, int tokens, const std::vector<int>& homes);

}  // namespace weft
