/// Cycles of a call whose weights or indices are streamed: a GEMM or a gradient.
#pragma once

#include <cstdint>
#include <span>

#include "host/appliance/estimate/calls.hpp"

namespace weft {

/// Whether it is one, of gemm_cycles or gradient_cycles.
bool is_streamed(const StreamCall& call);
bool is_gemm_kernel(const StreamCall& call);

/// `memory`: elements of a tile's SRAM once the wafer is loaded, where the tables of outputs at home are; `tokens`: of
/// a column, with padding.
double stream_cycles(const StreamCall& call, const WaferShape& wafer, int tokens,
                     std::span<const std::uint16_t> memory);

}  // namespace weft
