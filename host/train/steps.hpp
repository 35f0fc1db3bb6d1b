/// The steps of a started run, and its end.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

#include "host/checkpoint/model_folder.hpp"
#include "host/metrics/events/summaries.hpp"
#include "host/metrics/metrics.hpp"
#include "host/metrics/prometheus.hpp"
#include "host/metrics/report.hpp"
#include "host/metrics/status/status_writer.hpp"
#include "host/train/generated_text.hpp"
#include "host/train/saver.hpp"
#include "host/train/trainer.hpp"

namespace weft::train {

/// Message of an interrupted run without a step.
inline constexpr const char* kNothingDone = "\ninterrupted before a step was done: nothing has changed\n";

/// The parts of a started run.
struct Run {
  const config::Config& config;
  const compiler::Plan& plan;
  Trainer& trainer;
  Saver& saver;
  metrics::MetricsFile& metrics;
  metrics::Summaries& summaries;
  GeneratedText& generated;
  metrics::PrometheusFile& prometheus;
  metrics::Report& report;
  checkpoint::ModelFolder& folder;
  metrics::StatusWriter& status;
  std::function<std::string()> memory;  ///< a line about the memory that the run has used
};

/// Trains a step. It is settled and recorded while the next one streams, or at once if it must be evaluated or saved. A
/// step that diverges is rolled back if so configured.
void train_step(const Run& run, std::ostream& out);
/// Completes the last step: evaluates and records it, and saves it if due.
void settle_step(const Run& run, std::ostream& out);
/// After a failure: saves the state if steps were trained since `first` and the state is whole and has not diverged.
void save_after_failure(const Run& run, std::uint64_t first, std::ostream& out);
/// Saves the current state now, and keeps the run's files even if no step follows. No step may be under way.
void save_now(const Run& run);
/// Saves the state of a run that ends, and deletes checkpoints that it does not keep. No step may be under way.
void save_at_end(const Run& run);

/// Trains until `total` steps are done or the run is interrupted; each step is evaluated, recorded, and saved if due.
/// Returns the program's exit code. An exception of a step is rethrown after the trained state is saved, if the state
/// is whole and has not diverged.
int run_steps(const Run& run, std::uint64_t total, std::ostream& out);

}  // namespace weft::train
