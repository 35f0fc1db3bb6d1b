/// Measures this machine's training speed with the functional model.
#pragma once

#include <cstdint>

#include "host/config/config.hpp"
#include "host/memoryx/memoryx.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::cli {

/// Passes per step: in each pass, a wafer computes one micro-batch.
int passes_of(const config::Config& config);

/// Bytes per parameter in MemoryX: weight, moments and, except with immediate updates, the exact sum.
int memoryx_bytes_each(const config::Config& config);

/// The step to measure: the run's own if it is small enough, otherwise one with fewer wafers and passes.
struct Trial {
  int wafers = 1;
  int micro_batches = 1;
  double scale = 1;  ///< ratio of the run's step time to the trial's
};

/// A trial of at most `passes` passes, with all wafers or a fraction of them: at most 4 busy wafers per core, at most
/// 128 wafers (or 4 per core), at most 1 GiB of SRAM in total; at least one wafer.
Trial trial(const config::Config& config, int passes);

/// Seconds of a whole training step on the functional model: stream, wafers, tree, exact sums, optimizer and state
/// hash. Runs steps through a Swarm with arbitrary tokens for about half a second, or for one pass if that takes
/// longer, and returns the fastest, excluding the first step, which loads the wafers. The steps change `memoryx` as
/// usual, but no weight if its learning rate is 0.
double step_seconds(const config::Config& config, const compiler::Plan& plan, memoryx::MemoryX& memoryx);

}  // namespace weft::cli
