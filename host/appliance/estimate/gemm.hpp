/// Cycles of a GEMM: who waits for whom, output by output (docs/kernels.md, docs/psum.md).
#pragma once

#include <vector>

#include "host/appliance/estimate/calls.hpp"

namespace weft {

/// `homes`: outputs at home in each row; `tokens`: of a column, with padding. Of gemm, gemm_in_turn, embed and
/// embed_in_turn, which have two lines for an output.
double gemm_cycles(const StreamCall& call, const WaferShape& wafer, int tokens, const std::vector<int>& homes);

}  // namespace weft
