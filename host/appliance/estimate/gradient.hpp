/// Cycles of a gradient pass: who waits for whom, group by group of a row's indices (docs/kernels.md, docs/pe.md).
#pragma once

#include "host/appliance/estimate/calls.hpp"
#include "host/appliance/estimate/sample.hpp"

namespace weft {

/// As gemm_cycles. Of gradient, gradient_onehot, and gradient_local, whose vectors go round no ring. Where W
/// turns around a sample has some of the columns, and the ways between them are as much longer.
double gradient_cycles(const StreamCall& call, const WaferShape& wafer, int tokens, const Sample& sample);

}  // namespace weft
