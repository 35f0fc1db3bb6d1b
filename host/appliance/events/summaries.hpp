/// What TensorBoard is told of a run: MODEL_DIR/train and, once there is one, the evaluation's in MODEL_DIR/eval.
///
/// Tags, units and when they are written: docs/metrics.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/appliance/events/event_file.hpp"
#include "host/appliance/metrics.hpp"
#include "host/config/config.hpp"

namespace weft {

/// What a session begins with.
struct SessionStart {
  std::string run;                              ///< the run's identity
  std::uint64_t done = 0;                       ///< steps before it
  std::optional<StepMetrics> last = {};         ///< of step `done`, if metrics.jsonl has it
  std::optional<std::string> sample = {};       ///< of train_input
  std::optional<std::string> eval_sample = {};  ///< of eval_input
};

class Summaries {
 public:
  /// `config` must outlive this. Makes no file yet.
  Summaries(const Config& config, SessionStart start) : config_(config), start_(std::move(start)) {}

  /// The steps that runconfig.save_summary_steps divides, and every evaluation. The first call makes the files, in
  /// `model_dir`; a later one makes them again if somebody has taken them away. What a session before has from step
  /// `done` on does not count any more; that step itself is written once more. Throws Refusal.
  void add(const StepMetrics& metrics, const std::filesystem::path& model_dir);
  /// Of a run that is at its end: its last step, if it found no room. Throws Refusal.
  void complete(const std::filesystem::path& model_dir);
  /// Returns when all of it is on disk. Throws Refusal.
  void sync();

 private:
  /// Appends the records to the file of `folder`, which is made unless it is there.
  void add_train(const std::filesystem::path& folder, const std::string& records);
  void add_eval(const std::filesystem::path& folder, const std::string& records);
  bool due(const StepMetrics& metrics) const;
  /// Of the session's start, in records.
  std::string beginning(const std::optional<std::string>& sample, const char* tag, bool parameters) const;

  const Config& config_;
  SessionStart start_;
  std::optional<EventFile> train_, eval_;
};

/// What the plugin `hparams` is told: every key of the configuration, as number, text or bool.
std::string hparams_of(const Config& config);

}  // namespace weft
