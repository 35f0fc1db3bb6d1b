/// File of measured swarm runs, bench/results/swarm_model.jsonl: some to fit a model, the others to check it.
#pragma once

#include <nlohmann/json_fwd.hpp>
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

/// Name of the value that has the number of cores.
inline constexpr const char* kCores = "processors";

/// Columns of a run in the tables `fit` and `check` of the file.
nlohmann::ordered_json columns_of(const MeasuredRun& run);
/// Throws std::runtime_error with the path and the problem.
Measured read_measured(const std::string& path);

}  // namespace weft::bench
