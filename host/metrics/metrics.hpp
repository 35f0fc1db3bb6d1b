/// Metrics of a training step, and the file that records them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/checkpoint/file.hpp"
#include "host/metrics/metrics_lines.hpp"
#include "host/swarmx/protocol/times.hpp"

namespace weft::metrics {

/// Names of the parts of a step's time in lines and events.
inline constexpr std::pair<const char*, swarmx::Part> kTimeNames[] = {
    {"time_stream", swarmx::Part::Stream},   {"time_room", swarmx::Part::Room},
    {"time_compute", swarmx::Part::Compute}, {"time_wait", swarmx::Part::Wait},
    {"time_reduce", swarmx::Part::Reduce},   {"time_update", swarmx::Part::Update},
    {"time_rest", swarmx::Part::Rest}};

struct StepMetrics {
  std::uint64_t step = 0;  ///< number of steps done: 1 for the first
  double loss = 0;         ///< before the step's update; mean over tokens, nats
  double grad_norm = 0;    ///< norm of the mean gradient, before clipping
  double learning_rate = 0;
  std::uint64_t tokens = 0;
  double seconds = 0;                            ///< until the next step began, or else until the update was complete
  swarmx::StepTimes times = {};                  ///< breakdown of `seconds`; the parts add up to it
  std::optional<std::uint64_t> sim_cycles;       ///< cycles of the slowest used results; unset if the backend has none
  std::optional<double> fpu_utilization;         ///< multiply-adds / (lanes * tiles * cycles of all wafers)
  std::optional<std::uint32_t> repeated = {};    ///< micro-batches computed again; unset in a single process
  std::vector<std::string> slow = {};            ///< slow ranks at the end of the step: rank, host, what is slow
  std::optional<double> network_stall = {};      ///< longest stall of the root's network thread, seconds; unset in a
                                                 ///< single process
  std::optional<std::uint64_t> edge_bytes = {};  ///< in and out at the west edges of all wafers, 4 per message
  std::uint64_t state_hash = 0;                  ///< hash of weights and moments after the update
  std::optional<double> eval_loss;               ///< after the update, if an evaluation followed
  std::optional<std::uint64_t> kept = {};        ///< unpruned parameters, if the step began with a mask update
  bool skipped = false;                          ///< the step diverged and changed nothing; loss and grad_norm are not
                                                 ///< finite
  std::optional<std::uint64_t> rolled_back_to = {};  ///< skipped, and all training since this step was undone as well
};

/// The number as JSON; null if it is not finite.
std::string json_number(double x);

/// One line of JSON, without the newline. Unknown and non-finite values are null; `eval_loss` and `skipped` are omitted
/// if unset.
std::string to_json(const StepMetrics& metrics);
/// Parses such a line, which must be complete. null becomes NaN.
StepMetrics parse_metrics(std::string_view line);

/// Metrics from the line of step `before.keep` in model_dir/metrics.jsonl; nullopt if the line is missing, or the file
/// is invalid up to there.
std::optional<StepMetrics> last_metrics(const std::string& model_dir, const std::string& run,
                                        const MetricsBefore& before);

/// model_dir/metrics.jsonl: one object per step, complete after each step: `to_json` with the run's identity and a
/// checksum ("run", "crc32c"; host/checkpoint/seal.hpp).
class MetricsFile {
 public:
  /// Creates the folder. A resumed run keeps the lines up to its checkpoint, which must be complete, undamaged and of
  /// this run (MetricsBefore), otherwise Refusal names the line; later lines, left by a killed run, are removed. A new
  /// run keeps the file of another run under another name (`note`). Also throws Refusal if the file is invalid or
  /// cannot be read; nothing has changed then.
  MetricsFile(const std::string& model_dir, std::string run, const MetricsBefore& before = {});
  /// Step of the first line, present or future.
  std::uint64_t first() const { return first_; }
  /// Line of the checkpoint's step when a run resumes; unset for a new run, or if the file did not exist.
  const std::optional<StepMetrics>& last() const { return last_; }
  /// Note for the user about the previous file; empty if there is none.
  const std::string& note() const { return note_; }

  /// Appends a line. If writing fails, no part of the line remains, and Refusal is thrown. Returns false if the file
  /// was moved or deleted meanwhile; the line is then kept for `write_again` or `moved_to`.
  [[nodiscard]] bool add(const StepMetrics& metrics);
  /// The line that add() has made last, without the newline; empty before.
  const std::string& added() const { return added_; }
  /// The line that could not be written, without the newline; empty if there is none.
  const std::string& unwritten() const { return unwritten_; }
  /// Writes all lines to a new file of the same name, which must not exist. Its folder may be new.
  void write_again();
  /// Call when the folder with the file has been renamed.
  void moved_to(const std::string& model_dir);
  /// Returns when all lines are on disk, rewriting the file if it was moved or deleted. Throws Refusal.
  void sync();

 private:
  void open();
  void append();

  std::string path_, run_, note_, added_, unwritten_;
  std::uint64_t first_ = 1;
  std::optional<StepMetrics> last_;
  Descriptor fd_;
};

}  // namespace weft::metrics
