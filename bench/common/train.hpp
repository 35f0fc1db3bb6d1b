/// A training step of gpt_tiny through MemoryX, SwarmX and the wafers, as in `weft run`: metrics of the last of
/// `steps`, with the median as `seconds`.
#pragma once

#include <string>

#include "host/metrics/metrics.hpp"

namespace weft::bench {

metrics::StepMetrics train_step(const std::string& backend, int num_csx, int steps = 1);

}  // namespace weft::bench
