/// What is measured of the simulated RTL: how fast this machine is with it, and cycles.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sw/compiler/plan.hpp"

namespace weft {

/// Seconds of a tile-cycle on the simulated RTL, one wafer alone with so many `threads`: from the first ops of a
/// micro-batch, for half a second. On a large mesh that is another model's on a smaller one, as loading alone would
/// take minutes. None if the RTL has no such wafer.
std::optional<double> rtl_seconds(const Plan& plan, std::span<const float> parameters, int threads);

/// Cycles of a micro-batch of some tokens on a new RTL wafer as a run has it, one op behind the other. To compare
/// estimates with: it takes as long as the RTL takes.
std::uint64_t rtl_micro_batch_cycles(const Plan& plan, std::span<const float> parameters);

}  // namespace weft
