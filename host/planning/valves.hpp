/// Resolves `wafer.valves: auto`.
#pragma once

#include <optional>

#include "host/config/config.hpp"
#include "host/planning/choice.hpp"

namespace weft::planning {

/// Cycles of all GEMMs and gradients of a micro-batch, as estimated by compile_only.
double streamed_cycles(const compiler::Plan& plan);

/// Resolves `wafer.valves` if it is auto: 1 if the run uses a board, which has only one; otherwise the smallest number
/// for which streamed_cycles exceed those with one valve per row by at most one percent, above 40 valves to within a
/// twentieth. The number is found by bisection with a rough sample, and then around its result with the estimate of
/// compile_only. A stream is estimated only where estimates for other numbers of valves leave the result open. One
/// layer represents all. Sparse weights are represented by a random mask of sparsity.sparsity (for `gmp`, the final
/// one; a checkpoint's masks are not known yet). Therefore, the result does not depend on weights or actual masks, only
/// on model, mesh, cycles of a partial sum, mode, sparsity.sparsity and sparsity.params_filter. `explain`: the choice
/// has cycles, of the rough sample, and as next best the nearest smaller number that the search distinguishes, or 2
/// instead of 1. Call after choose_batch_shape(). Throws Refusal.
std::optional<Choice> choose_valves(config::Config& config, bool explain = false);

}  // namespace weft::planning
