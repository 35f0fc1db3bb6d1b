/// A model of the swarm fitted to measured runs, and its predictions for others.
#pragma once

#include "bench/swarm/swarm_measured.hpp"
#include "host/planning/swarm_model/simulate.hpp"

namespace weft::bench {

/// Work of a wafer for a micro-batch of this run.
planning::swarm_model::Work work_of(const SwarmRun& run);

/// Fits the machine that all processes share: costs from processor times by least squares of relative errors, each at
/// least 0, and the latency that gives the most accurate steps. Only `measured.fit` is used.
planning::swarm_model::Machine fitted(const Measured& measured);

/// Prediction of the model for a run during which other processes used `run.times.others` processors.
planning::swarm_model::Outcome predicted(const planning::swarm_model::Machine& machine, const MeasuredRun& run);

}  // namespace weft::bench
