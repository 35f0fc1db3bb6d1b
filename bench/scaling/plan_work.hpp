/// Conversion of a compiled plan's micro-batch to work in the model of the swarm.
#pragma once

#include <vector>

#include "host/planning/phases.hpp"
#include "host/planning/swarm_model/work.hpp"

namespace weft::bench {

/// `phases`: the plan's, from estimate_phases. A cycle becomes a second.
planning::swarm_model::Work work_in_cycles(const compiler::Plan& plan, const std::vector<planning::Phase>& phases);
/// Work on a wafer that takes `times` as long.
planning::swarm_model::Work slowed(planning::swarm_model::Work work, double times);

}  // namespace weft::bench
