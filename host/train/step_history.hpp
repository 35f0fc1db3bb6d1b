/// History of a training run's steps, as far as the next step depends on it.
#pragma once

#include <cstdint>
#include <optional>

#include "host/memoryx/diverged.hpp"
#include "host/metrics/metrics.hpp"

namespace weft::train {

class StepHistory {
 public:
  static constexpr int kMostSkipped = 10;  ///< maximum number of steps skipped, or rolled back, in a row

  /// Number of steps done and settled.
  std::uint64_t done() const { return done_; }
  /// Number of steps done, including one that is not settled yet.
  std::uint64_t started() const { return done_ + (unsettled_ ? 1 : 0); }
  /// Metrics of a step whose update has begun and is not settled; empty: none.
  std::optional<metrics::StepMetrics>& unsettled_metrics() { return unsettled_; }
  const std::optional<metrics::StepMetrics>& unsettled_metrics() const { return unsettled_; }
  /// Number of steps done at the last mask update; empty: none yet.
  std::optional<std::uint64_t> last_mask_update() const { return last_mask_update_; }
  /// Number of steps skipped since the last one that was not.
  int skipped_in_a_row() const { return skipped_; }
  /// True if a step or an evaluation has diverged, so that the state must not be saved.
  bool diverged() const { return diverged_; }
  /// True if the last step's evaluation was interrupted.
  bool evaluation_interrupted() const { return evaluation_interrupted_; }
  /// Exponential moving average of the losses (runconfig.max_loss_jump); empty: there is none yet.
  std::optional<double> average_loss() const { return average_loss_; }

  /// Continues after `done` steps.
  void resume(std::uint64_t done, std::optional<std::uint64_t> last_mask_update);
  void set_average_loss(std::optional<double> average) { average_loss_ = average; }
  void set_mask_updated() { last_mask_update_ = done_; }
  void set_evaluation_interrupted(bool interrupted) { evaluation_interrupted_ = interrupted; }

  /// Adds the loss of a step to the average. Throws Diverged if the loss exceeds the average by more than `max_jump`
  /// nats; 0: no limit.
  void add_loss(std::uint64_t step, double loss, double max_jump);

  /// A step has trained without divergence.
  void end_skips() { skipped_ = 0; }
  /// The unsettled step is settled.
  void settle();

  void mark_diverged() { diverged_ = true; }
  void mark_evaluation_diverged() { diverged_ = evaluation_diverged_ = true; }
  /// Counts a step that diverged because of `why` and is skipped. Throws Diverged after kMostSkipped in a row.
  void count_skip(const memoryx::Diverged& why);
  /// The skipped step has changed nothing.
  void end_divergence() { diverged_ = false; }
  /// Counts a roll-back. Returns false if it is impossible: an evaluation has diverged rather than a step, or
  /// kMostSkipped steps in a row were rolled back.
  bool count_roll_back();
  /// The diverged step counts as done, and has changed nothing.
  void end_roll_back();

 private:
  std::uint64_t done_ = 0;
  std::optional<metrics::StepMetrics> unsettled_;
  std::optional<std::uint64_t> last_mask_update_;
  std::optional<double> average_loss_;
  int skipped_ = 0;      // in a row
  int rolled_back_ = 0;  // in a row
  bool diverged_ = false;
  bool evaluation_diverged_ = false;
  bool evaluation_interrupted_ = false;
};

}  // namespace weft::train
