/// Trains a job on random tokens with the appliance's components: MemoryX, the tree, wafers.
#pragma once

#include <vector>

#include "host/swarmx/tree/worker_loop.hpp"
#include "tests/shapes/job.hpp"

namespace weft::test {

struct TrainedStep {
  double loss = 0, gradient_norm = 0;
  std::uint64_t state_hash = 0;
  friend bool operator==(const TrainedStep&, const TrainedStep&) = default;
};

/// Runs `steps` steps of a job on wafers made by `make`. Throws as compile() and Swarm::step do.
std::vector<TrainedStep> train(const Job& job, const swarmx::MakeWafer& make, int steps = 2);

}  // namespace weft::test
