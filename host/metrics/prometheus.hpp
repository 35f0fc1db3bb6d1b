/// Writes a run's metrics in Prometheus' text format for a textfile collector. docs/reference/metrics.md lists the
/// names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/config/config.hpp"
#include "host/metrics/metrics.hpp"

namespace weft::metrics {

class PrometheusFile {
 public:
  /// Writes to metrics.prometheus; if that is empty, does nothing. `run`: the run's identity; `done`: steps so far.
  PrometheusFile(const config::Config& config, std::string run, std::uint64_t done);

  /// Writes the file before the first step, so that an unwritable file is noticed early. Throws Refusal, as `add`, and
  /// also if the file exists and is of another kind.
  void begin();
  /// Counts a step and rewrites the file atomically, so that readers see one complete step.
  void add(const StepMetrics& metrics);
  /// Contents of the file.
  std::string text() const;

 private:
  void write() const;

  std::string file_, labels_, info_;
  std::uint64_t done_, max_steps_;
  double begun_;
  // Counters, which start at 0 in each process.
  std::uint64_t steps_ = 0, tokens_ = 0, skipped_ = 0, repeated_ = 0, mask_updates_ = 0, sim_cycles_ = 0,
                edge_bytes_ = 0;
  double seconds_ = 0, time_ = 0;
  std::optional<StepMetrics> last_;
  std::optional<double> eval_loss_, kept_;
};

}  // namespace weft::metrics
