/// Measures the simulated RTL: its speed on this machine, and cycles.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sw/compiler/plan/plan.hpp"

namespace weft::cli {

/// Seconds per tile and cycle on the simulated RTL, for a single wafer with `threads` threads. Measured for half a
/// second on the first ops of a micro-batch. For a large mesh, a small model on a smaller mesh is measured instead,
/// since loading alone would take minutes. nullopt if the RTL does not support the number of lanes.
std::optional<double> rtl_seconds(const compiler::Plan& plan, std::span<const float> parameters, int threads);

/// Cycles of a micro-batch of arbitrary tokens on a new RTL wafer, without pauses between ops, as in a run. For
/// comparison with estimates; takes as long as the RTL takes.
std::uint64_t rtl_micro_batch_cycles(const compiler::Plan& plan, std::span<const float> parameters);

}  // namespace weft::cli
