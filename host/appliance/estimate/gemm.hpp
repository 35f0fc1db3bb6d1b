/// Cycles of a GEMM: who waits for whom, output by output (docs/kernels.md, docs/psum.md).
#pragma once

#include "host/appliance/estimate/calls.hpp"
#include "host/appliance/estimate/sample.hpp"

namespace weft {

/// `tokens`: of a column, with padding. Of gemm, gemm_in_turn, embed and embed_in_turn, which have two lines for an
/// output.
double gemm_cycles(const StreamCall& call, const WaferShape& wafer, int tokens, const Sample& sample);

}  // namespace weft
