/// A run's metrics in Prometheus' text format, for a textfile collector: docs/metrics.md has their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/appliance/metrics.hpp"
#include "host/config/config.hpp"

namespace weft {

class PrometheusFile {
 public:
  /// metrics.prometheus; if that is empty, nothing is ever written. `run`: the run's identity; `done`: steps so far.
  PrometheusFile(const Config& config, std::string run, std::uint64_t done);

  /// Writes the file without a step: before the first, so that one that cannot be written is noticed then. Throws
  /// Refusal, as `add`; also of a file that is there and is something else.
  void begin();
  /// Counts a step, and writes the file anew: who reads it has the whole of one step.
  void add(const StepMetrics& metrics);
  /// What is written.
  std::string text() const;

 private:
  void write() const;

  std::string file_, labels_, info_;
  std::uint64_t done_, max_steps_;
  double begun_;
  // Of this process, as counters are.
  std::uint64_t steps_ = 0, tokens_ = 0, skipped_ = 0, repeated_ = 0, deals_ = 0, sim_cycles_ = 0, edge_bytes_ = 0;
  double seconds_ = 0, time_ = 0;
  std::optional<StepMetrics> last_;
  std::optional<double> eval_loss_, kept_;
};

}  // namespace weft
