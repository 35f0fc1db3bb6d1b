/// Beats of the vector unit of a row in a GEMM or a gradient (docs/pe.md, Counters).
#pragma once

#include <cstdint>

#include "host/appliance/estimate/calls.hpp"

namespace weft {

/// As the functional model counts them; of a gradient whose outputs have not all as many indices in the row, nearly.
/// `taps`: weights or indices of the row, of all outputs; `tokens`: of a column, with padding.
std::uint64_t stream_beats(const StreamCall& call, const WaferShape& wafer, int tokens, int row, std::uint64_t taps);

}  // namespace weft
