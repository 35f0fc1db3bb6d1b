/// Cycles of a GEMM, from the dependencies of its outputs (docs/explanation/kernels.md, docs/explanation/psum.md).
#pragma once

#include "host/planning/estimate/calls.hpp"
#include "host/planning/estimate/sample.hpp"

namespace weft::planning {

/// Estimates gemm, gemm_rotating, embed, embed_rotating, and their interleaved forms, whose outputs come in groups
/// (docs/explanation/short_vectors.md). Those of embed have two lines per output. `tokens`: per column, with padding.
double gemm_cycles(const StreamCall& call, const machine::WaferShape& wafer, int tokens, const Sample& sample);

}  // namespace weft::planning
