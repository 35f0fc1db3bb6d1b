/// How fast this machine trains with the functional model.
#pragma once

#include <cstdint>

#include "host/config/config.hpp"
#include "host/memoryx/memoryx.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// Rounds of a step: in each a wafer takes a micro-batch.
int rounds_of(const Config& config);

/// Bytes that MemoryX has of a parameter: weight, two moments and, but where it passes at once, the exact sum.
int memoryx_bytes_each(const Config& config);

/// The steps to measure: the run's own where they are small enough, else of fewer wafers and rounds.
struct Trial {
  int wafers = 1;
  int micro_batches = 1;
  double scale = 1;  ///< seconds of the run's step to those of the trial's
};

/// A trial of at most `rounds` rounds, with all wafers or a part of them, the same part of those at work and of the
/// idle: at most 4 a core at work, at most 128 there (or 4 a core), at most 1 GiB of SRAM in all; at least one.
Trial trial(const Config& config, int rounds);

/// Seconds of a whole training step on the functional model: stream, wafers, tree, exact sums, optimizer and hash of
/// the state. It times steps through a Swarm, with tokens made up, for about half a second, or for a round if that
/// takes longer, and takes the fastest; the first step, which loads the wafers, does not count. Steps change `memoryx`
/// as any do; no weight, if its learning rate is 0.
double step_seconds(const Config& config, const Plan& plan, MemoryX& memoryx);

}  // namespace weft
