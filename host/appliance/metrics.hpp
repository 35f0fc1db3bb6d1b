/// What is known about a step, and the file that keeps it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/checkpoint/file.hpp"

namespace weft {

struct StepMetrics {
  std::uint64_t step = 0;  ///< steps done: 1 for the first
  double loss = 0;         ///< before the step's update; mean over tokens, nats
  double grad_norm = 0;    ///< of the mean gradient, before clipping
  double learning_rate = 0;
  std::uint64_t tokens = 0;
  double seconds = 0;
  std::optional<std::uint64_t> sim_cycles;  ///< of the slowest wafer; none from a backend without cycles
  std::optional<double> fpu_utilization;    ///< multiply-adds done / (lanes * tiles * cycles of all wafers)
  std::uint64_t state_hash = 0;             ///< of weights and moments after the update
  std::optional<double> eval_loss;          ///< after the update, if it was evaluated
};

/// One line of JSON, without the newline. What is unknown or not finite is null; `eval_loss` is left out.
std::string to_json(const StepMetrics& metrics);

/// model_dir/metrics.jsonl, one object a step, complete after each.
class MetricsFile {
 public:
  /// Makes the folder. Of an earlier file the lines of steps up to `keep` stay. Throws Refusal.
  explicit MetricsFile(const std::string& model_dir, std::uint64_t keep = 0);
  /// A line that cannot be written leaves none of itself. Throws Refusal.
  void add(const StepMetrics& metrics);
  /// Returns when all lines are on disk. Throws Refusal.
  void sync();

 private:
  std::string path_;
  Descriptor fd_;
};

}  // namespace weft
