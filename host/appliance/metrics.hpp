/// What is known about a step, and the file that keeps it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "host/appliance/metrics_lines.hpp"
#include "host/checkpoint/file.hpp"
#include "host/swarmx/times.hpp"

namespace weft {

/// The parts of a step's time, as lines and events call them.
inline constexpr std::pair<const char*, Part> kTimeNames[] = {
    {"time_stream", Part::Stream}, {"time_room", Part::Room},     {"time_compute", Part::Compute},
    {"time_wait", Part::Wait},     {"time_reduce", Part::Reduce}, {"time_update", Part::Update},
    {"time_rest", Part::Rest}};

struct StepMetrics {
  std::uint64_t step = 0;  ///< steps done: 1 for the first
  double loss = 0;         ///< before the step's update; mean over tokens, nats
  double grad_norm = 0;    ///< of the mean gradient, before clipping
  double learning_rate = 0;
  std::uint64_t tokens = 0;
  double seconds = 0;                            ///< until the next step began, or else until the update was over
  StepTimes times = {};                          ///< where they went: they add up to it
  std::optional<std::uint64_t> sim_cycles;       ///< of the slowest wafer; none from a backend without cycles
  std::optional<double> fpu_utilization;         ///< multiply-adds done / (lanes * tiles * cycles of all wafers)
  std::optional<std::uint32_t> repeated = {};    ///< micro-batches done once more; none where all is one process
  std::optional<std::uint64_t> edge_bytes = {};  ///< in and out at the west edges of all wafers: 4 a message
  std::uint64_t state_hash = 0;                  ///< of weights and moments after the update
  std::optional<double> eval_loss;               ///< after the update, if it was evaluated
  std::optional<std::uint64_t> kept = {};        ///< parameters, if the step began with a deal of new masks
  bool skipped = false;                          ///< it diverged and changed nothing; loss and grad_norm are no numbers
  std::optional<std::uint64_t> rolled_back_to = {};  ///< skipped, and what was trained since this step as well
};

/// One line of JSON, without the newline. What is unknown or not finite is null; `eval_loss` and `skipped` are left out
/// if there are none.
std::string to_json(const StepMetrics& metrics);
/// Of such a line, which is whole; null is no number.
StepMetrics parse_metrics(std::string_view line);

/// Of the line of step `before.keep` in model_dir/metrics.jsonl; none if that is not there, or is not good so far.
std::optional<StepMetrics> last_metrics(const std::string& model_dir, const std::string& run,
                                        const MetricsBefore& before);

/// model_dir/metrics.jsonl: one object a step, complete after each; `to_json` with the run's identity and a checksum
/// ("run", "crc32c"; host/checkpoint/seal.hpp).
class MetricsFile {
 public:
  /// Makes the folder. A run that goes on keeps the lines up to its checkpoint, which must be there without a gap,
  /// whole and of this run (MetricsBefore): else Refusal that names the line. What comes after them, which a killed run
  /// left, goes. What another run left is kept under another name (`note`) by one that begins. Throws Refusal also if
  /// the file is none or cannot be read: then nothing has changed.
  MetricsFile(const std::string& model_dir, std::string run, const MetricsBefore& before = {});
  /// The step of its first line, or of the one to come.
  std::uint64_t first() const { return first_; }
  /// The line that the run goes on from, of its checkpoint's step; none if it begins, or the file was not there.
  const std::optional<StepMetrics>& last() const { return last_; }
  /// What is to be said of the file that was there; empty: nothing.
  const std::string& note() const { return note_; }

  /// A line that cannot be written leaves none of itself. False: somebody has taken the file away; the line waits for
  /// `write_again` or `moved_to`. Throws Refusal.
  [[nodiscard]] bool add(const StepMetrics& metrics);
  /// The line that could not be written, without its end; empty: there is none.
  const std::string& unwritten() const { return unwritten_; }
  /// Writes all lines to a new file of the same name, which must not be there; its folder may be a new one.
  void write_again();
  /// The folder with the file has another name now.
  void moved_to(const std::string& model_dir);
  /// Returns when all lines are on disk, also if somebody has taken the file away. Throws Refusal.
  void sync();

 private:
  void open();
  void append();

  std::string path_, run_, note_, unwritten_;
  std::uint64_t first_ = 1;
  std::optional<StepMetrics> last_;
  Descriptor fd_;
};

}  // namespace weft
