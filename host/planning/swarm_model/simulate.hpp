/// Prediction of a step's time on a swarm, by discrete-event simulation: docs/explanation/scaling.md, A model of the
/// swarm.
#pragma once

#include "host/planning/swarm_model/machine.hpp"
#include "host/planning/swarm_model/work.hpp"

namespace weft::planning::swarm_model {

struct Outcome {
  double step = 0;       ///< seconds, the mean
  double processor = 0;  ///< seconds of all processors per step
};

/// Simulates steps in which each wafer gets one micro-batch per pass (docs/explanation/swarm.md, The root). Throws
/// std::invalid_argument for impossible arguments.
Outcome simulate(const Work& work, const Machine& machine, const Job& job);

/// Predicts a step of any number of micro-batches: of many passes, those in the middle all take equally long.
double step_seconds(const Work& work, const Machine& machine, int wafers, int micro_batches);

}  // namespace weft::planning::swarm_model
