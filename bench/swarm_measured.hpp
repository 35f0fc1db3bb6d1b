/// Runs of a swarm that were measured, in a file: of some a model is made, with others it is checked.
#pragma once

#include <string>
#include <vector>

#include "bench/swarm_run.hpp"

namespace weft::bench {

struct MeasuredRun {
  SwarmRun run;
  SwarmTimes times;
};

struct Measured {
  int cores = 0;  ///< of the machine that all processes shared
  std::vector<MeasuredRun> fit, check;
};

/// Throws std::runtime_error that names the path and what is wrong.
Measured read_measured(const std::string& path);
void write_measured(const std::string& path, const Measured& measured);

}  // namespace weft::bench
