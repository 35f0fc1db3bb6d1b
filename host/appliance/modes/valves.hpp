/// `wafer.valves: auto`.
#pragma once

#include "host/config/config.hpp"

namespace weft {

/// Cycles of all that a micro-batch streams through so many valves, GEMMs and gradients, as compile_only estimates
/// them; `plan.wafer.valves` is not looked at.
double streamed_cycles(const Plan& plan, int valves);

/// Puts a number where `wafer.valves` is auto: 1 where a board takes part, which has no more, else one with which
/// streamed_cycles are at most a hundredth more than with one for each row. It is the least that a bisection finds with
/// a rough sample, or a twentieth more; more are taken where the estimate of compile_only says that these are too few.
/// A layer stands for all of them, and where weights are left out random ones, as many as sparsity.sparsity says (of
/// `gmp` in the end; of a checkpoint's masks nobody knows yet). So it depends on no weights, and not on which masks
/// there are: on model, mesh, cycles of a partial sum, mode, sparsity.sparsity and sparsity.params_filter. After
/// check_fit. Throws Refusal.
void choose_valves(Config& config);

}  // namespace weft
