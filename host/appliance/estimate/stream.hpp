/// Cycles of a call whose weights or indices are streamed: a GEMM or a gradient.
#pragma once

#include "host/appliance/estimate/calls.hpp"
#include "host/appliance/estimate/sample.hpp"

namespace weft {

/// Whether it is one, of gemm_cycles or gradient_cycles.
bool is_streamed(const StreamCall& call);
bool is_gemm_kernel(const StreamCall& call);

/// Ops with the same one stream the same, but for which parameters these are, and where things lie. Empty: no other op
/// is known to be so, as it has a mask, or no stream.
std::string kind_of_stream(const Program& program, const Op& op);

/// `tokens`: of a column, with padding.
double stream_cycles(const StreamCall& call, const WaferShape& wafer, int tokens, const Sample& sample = {});

}  // namespace weft
