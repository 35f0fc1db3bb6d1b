/// Writes TensorBoard files of a run: MODEL_DIR/train and, after the first evaluation, MODEL_DIR/eval.
///
/// docs/reference/metrics.md lists tags, units and when they are written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/config/config.hpp"
#include "host/metrics/events/event_file.hpp"
#include "host/metrics/metrics.hpp"

namespace weft::metrics {

/// State at the start of a session.
struct SessionStart {
  std::string run;                              ///< the run's identity
  std::uint64_t done = 0;                       ///< steps done before the session
  std::optional<StepMetrics> last = {};         ///< metrics of step `done`, if metrics.jsonl has it
  std::optional<std::string> sample = {};       ///< sample of train_input
  std::optional<std::string> eval_sample = {};  ///< sample of eval_input
};

class Summaries {
 public:
  /// `config` must outlive this object. Creates no file yet.
  Summaries(const config::Config& config, SessionStart start) : config_(config), start_(std::move(start)) {}

  /// Records the steps that runconfig.save_summary_steps divides, and every evaluation. The first call creates the
  /// files in `model_dir`; later calls recreate them if they were moved or deleted. Data of earlier sessions from step
  /// `done` on is superseded; that step itself is rewritten. Throws Refusal.
  void add(const StepMetrics& metrics, const std::filesystem::path& model_dir);
  /// Records a text that the model generates after a step, next to the step's losses. Must follow add().
  void add_generated(const std::string& text, const StepMetrics& metrics, const std::filesystem::path& model_dir);
  /// Call when a run ends without new steps: records the last step if an earlier session could not. Throws Refusal.
  void complete(const std::filesystem::path& model_dir);
  /// Returns when all data is on disk. Throws Refusal.
  void sync();

 private:
  /// Appends the records to the file in `folder`, creating it if necessary.
  void add_train(const std::filesystem::path& folder, const std::string& records);
  void add_eval(const std::filesystem::path& folder, const std::string& records);
  bool should_write(const StepMetrics& metrics) const;
  /// Records at the start of the session.
  std::string beginning(const std::optional<std::string>& sample, const char* tag, bool parameters) const;

  const config::Config& config_;
  SessionStart start_;
  std::optional<EventFile> train_, eval_;
};

/// Data for the plugin `hparams`: every key of the configuration, as number, text or bool.
std::string hparams_of(const config::Config& config);

}  // namespace weft::metrics
