/// A model of the swarm fitted to measured runs, and its predictions for others.
#pragma once

#include <string>

#include "bench/swarm_measured.hpp"
#include "host/planning/swarm_model/simulate.hpp"

namespace weft::bench {

/// Work of a wafer for a micro-batch of this run.
swarm_model::Work work_of(const SwarmRun& run);

/// Fits the machine that all processes share: costs from processor times by least squares of relative errors, each at
/// least 0, and the latency that gives the most accurate steps. Only `measured.fit` is used.
swarm_model::Machine fitted(const Measured& measured);

/// Prediction of the model for a run during which other processes used `run.times.others` processors.
swarm_model::Outcome predicted(const swarm_model::Machine& machine, const MeasuredRun& run);

/// Markdown: costs; then each run, as measured and as predicted.
std::string costs_table(const swarm_model::Machine& machine);
std::string runs_table(const swarm_model::Machine& machine, const std::vector<MeasuredRun>& runs);
/// Fraction of linear speed-up for 48 micro-batches of 100 ms: measured and predicted on one host; predicted with a
/// host of as many processors for each process, links of 10 Gb/s, and steps that do not wait for the previous update;
/// the same with nodes of 4 children; and the last with the work `other` instead of the measured work.
std::string hosts_table(const swarm_model::Machine& machine, const Measured& measured, const swarm_model::Work& other);

}  // namespace weft::bench
