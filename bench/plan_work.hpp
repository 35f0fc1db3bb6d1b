/// What a micro-batch of a compiled plan is to the model of the swarm.
#pragma once

#include <vector>

#include "host/appliance/modes/phases.hpp"
#include "host/swarmx/model/work.hpp"

namespace weft::bench {

/// `phases`: the plan's, as estimate_phases has them. A cycle is taken for a second.
swarm_model::Work work_in_cycles(const Plan& plan, const std::vector<Phase>& phases);
/// The same work, its wafer `times` as long at it.
swarm_model::Work slowed(swarm_model::Work work, double times);

}  // namespace weft::bench
