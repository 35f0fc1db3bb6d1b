/// Conversion of a compiled plan's micro-batch to work in the model of the swarm.
#pragma once

#include <vector>

#include "host/planning/phases.hpp"
#include "host/planning/swarm_model/work.hpp"

namespace weft::bench {

/// `phases`: the plan's, from estimate_phases. A cycle becomes a second.
swarm_model::Work work_in_cycles(const Plan& plan, const std::vector<Phase>& phases);
/// Work on a wafer that takes `times` as long.
swarm_model::Work slowed(swarm_model::Work work, double times);

}  // namespace weft::bench
