/// How fast this machine simulates the RTL of a wafer.
#pragma once

#include <optional>
#include <span>

#include "sw/compiler/plan.hpp"

namespace weft {

/// Seconds of a tile-cycle on the simulated RTL, one wafer alone with so many `threads`: from the first ops of a
/// micro-batch, for half a second. On a large mesh that is another model's on a smaller one, as loading alone would
/// take minutes. None if the RTL has no such wafer.
std::optional<double> rtl_seconds(const Plan& plan, std::span<const float> parameters, int threads);

}  // namespace weft
