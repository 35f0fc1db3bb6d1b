/// File of measured swarm runs: some to fit a model, the others to check it.
#pragma once

#include <string>
#include <vector>

#include "bench/swarm/swarm_run.hpp"

namespace weft::bench {

struct MeasuredRun {
  SwarmRun run;
  SwarmTimes times;
};

struct Measured {
  int cores = 0;  ///< cores of the machine that all processes share
  std::vector<MeasuredRun> fit, check;
};

/// Throws std::runtime_error with the path and the problem.
Measured read_measured(const std::string& path);
void write_measured(const std::string& path, const Measured& measured);

}  // namespace weft::bench
