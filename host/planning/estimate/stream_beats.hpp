/// Beats of a row's vector unit in a GEMM or a gradient (docs/pe.md, Counters).
#pragma once

#include <cstdint>

#include "host/planning/estimate/calls.hpp"

namespace weft {

/// Equal to the functional model's count; an approximation for a gradient whose outputs have different numbers of
/// indices in the row. `taps`: weights or indices of the row, over all outputs; `tokens`: per column, with padding.
std::uint64_t stream_beats(const StreamCall& call, const WaferShape& wafer, int tokens, int row, std::uint64_t taps);

}  // namespace weft
