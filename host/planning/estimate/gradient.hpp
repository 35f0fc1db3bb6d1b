/// Cycles of a gradient pass, from the dependencies of the groups of a row's indices (docs/explanation/kernels.md,
/// docs/reference/pe.md).
#pragma once

#include "host/planning/estimate/calls.hpp"
#include "host/planning/estimate/sample.hpp"

namespace weft::planning {

/// Like gemm_cycles, for gradient, gradient_onehot, and gradient_local, whose vectors do not travel around a ring. If W
/// turns around, only a sample of the columns is simulated, with proportionally longer distances between them.
double gradient_cycles(const StreamCall& call, const machine::WaferShape& wafer, int tokens, const Sample& sample);

}  // namespace weft::planning
