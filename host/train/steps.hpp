/// The steps of a run that has begun, and its end.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

#include "host/appliance/events/summaries.hpp"
#include "host/appliance/metrics.hpp"
#include "host/appliance/prometheus.hpp"
#include "host/appliance/report.hpp"
#include "host/appliance/status/status_writer.hpp"
#include "host/checkpoint/model_folder.hpp"
#include "host/train/saver.hpp"
#include "host/train/trainer.hpp"

namespace weft {

/// Of an interrupted run without a step.
inline constexpr const char* kNothingDone = "\ninterrupted before a step was done: nothing has changed\n";

/// A run that has begun.
struct Run {
  const Config& config;
  const Plan& plan;
  Trainer& trainer;
  Saver& saver;
  MetricsFile& metrics;
  Summaries& summaries;
  PrometheusFile& prometheus;
  Report& report;
  ModelFolder& folder;
  StatusWriter& status;
  std::function<std::string()> memory;  ///< a line of what the run has taken
};

/// Trains until `total` steps are done or the run is interrupted; each step is looked after, recorded, and saved if it
/// is due. Returns the program's exit code. What a step throws comes out of here after what was trained is saved, if it
/// is whole and of numbers.
int run_steps(const Run& run, std::uint64_t total, std::ostream& out);

}  // namespace weft
