/// A model of the swarm from runs that were measured, and what it says of others.
#pragma once

#include <string>

#include "bench/swarm_measured.hpp"
#include "host/swarmx/model/simulate.hpp"

namespace weft::bench {

/// What a wafer of this run computes and returns.
swarm_model::Work work_of(const SwarmRun& run);

/// The machine that all processes share, with costs from processor times by least squares of their relative errors,
/// each at least 0, and with the latency by which steps come out best. Only `measured.fit` counts.
swarm_model::Machine fitted(const Measured& measured);

/// What the model says of a run beside which others had `run.times.others` processors.
swarm_model::Outcome predicted(const swarm_model::Machine& machine, const MeasuredRun& run);

/// Markdown: costs; then each run, as measured and as predicted.
std::string costs_table(const swarm_model::Machine& machine);
std::string runs_table(const swarm_model::Machine& machine, const std::vector<MeasuredRun>& runs);
/// The share of linear of 48 micro-batches of 100 ms, as measured and predicted on one host, and as predicted with a
/// host of as many processors for each process, links of 10 Gb/s, and steps that do not wait for the update before;
/// last so of `other`, instead of the work that was measured.
std::string hosts_table(const swarm_model::Machine& machine, const Measured& measured, const swarm_model::Work& other);

}  // namespace weft::bench
