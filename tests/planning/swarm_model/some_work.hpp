/// Micro-batches and machines whose step times are easy to compute.
#pragma once

#include <limits>

#include "host/planning/swarm_model/simulate.hpp"

namespace weft::planning::swarm_model {

/// A machine without any costs except those added by a test.
inline Machine machine() {
  return {
      .cores = 64, .bandwidth = std::numeric_limits<double>::infinity(), .latency = 0, .settles = true, .costs = {}};
}

/// Ops of one second, 100 bytes and 100 messages each; those of the second half return 80 bytes.
inline Work work(std::size_t ops) {
  Work all(ops, {.down = 100, .messages = 100, .seconds = 1, .parameters = 10});
  for (std::size_t op = ops / 2; op < ops; ++op) all[op].up = 80;
  return all;
}

inline double step(const Machine& m, int wafers, int micro_batches, std::size_t ops = 4) {
  return simulate(work(ops), m, {.wafers = wafers, .micro_batches = micro_batches}).step;
}

}  // namespace weft::planning::swarm_model
