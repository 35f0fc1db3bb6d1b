/// Cycles and beats of a call whose weights or indices are streamed: a GEMM or a gradient.
#pragma once

#include <cstdint>
#include <string>

#include "host/planning/estimate/calls.hpp"
#include "host/planning/estimate/sample.hpp"

namespace weft::planning {

/// True if gemm_cycles or gradient_cycles applies to the call.
bool is_streamed(const StreamCall& call);
bool is_gemm_kernel(const StreamCall& call);

/// Key of an op's stream: ops with the same key have the same stream except for parameters and addresses. Empty if the
/// stream is unique, because it has a mask, or if there is none.
std::string kind_of_stream(const assembler::Program& program, const compiler::Op& op);

/// `tokens`: per column, with padding.
double stream_cycles(const StreamCall& call, const machine::WaferShape& wafer, int tokens, const Sample& sample = {});

/// Beats of a row's vector unit (docs/reference/pe.md, Counters). Equal to the functional model's count; an
/// approximation for a gradient whose outputs have different numbers of indices in the row. `elements`: weights or
/// indices of the row, over all outputs; `tokens`: per column, with padding.
std::uint64_t stream_beats(const StreamCall& call, const machine::WaferShape& wafer, int tokens, int row,
                           std::uint64_t elements);

}  // namespace weft::planning
