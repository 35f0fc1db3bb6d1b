/// One training run: MemoryX, the tree of wafers and the data, step by step.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "host/checkpoint/reader.hpp"
#include "host/config/config.hpp"
#include "host/data/data.hpp"
#include "host/metrics/metrics.hpp"
#include "host/train/cluster.hpp"
#include "host/train/evaluation.hpp"
#include "host/train/mask_schedule.hpp"
#include "host/train/options.hpp"
#include "host/train/step_history.hpp"

namespace weft::train {

struct TrainerOptions {
  swarmx::MakeWafer make_wafer;
  std::optional<data::TrainingData> data = {};               ///< empty: read from train_input
  std::unique_ptr<memoryx::ParameterStore> store = nullptr;  ///< store of the parameters; null: DRAM
  ranks::RunContext context = {};
};

class Trainer {
 public:
  /// Reads the data, initialises the parameters and starts the wafers. `config` and `plan` must outlive this. Throws
  /// Refusal.
  Trainer(const config::Config& config, const compiler::Plan& plan, TrainerOptions options);
  Trainer(const config::Config& config, const compiler::Plan& plan, swarmx::MakeWafer make_wafer);

  /// Continues from the checkpoint, whose state MemoryX must already have: the next step is the one after it, and takes
  /// the samples that follow those that the checkpoint's run has consumed. Does not restore the average loss.
  void resume(const checkpoint::CheckpointReader& checkpoint);
  void set_average_loss(std::optional<double> average) { history_.set_average_loss(average); }

  /// Receives a settled step: its update is over, its hash is known, and its weights have not diverged.
  /// history().done() includes the step, and MemoryX has the state after it.
  using Report = std::function<void(metrics::StepMetrics& metrics)>;

  /// Trains a step: streams it and begins its update. The previous step is settled while this one streams, and reported
  /// before any weight changes again. The previous step is reported even if an exception is thrown, unless its weights
  /// have diverged, in which case Diverged is thrown. Otherwise throws the exceptions of Swarm::step and `report`. With
  /// runconfig.on_divergence skip, a step whose loss or gradient has diverged changes nothing and counts as done; after
  /// StepHistory::kMostSkipped such steps in a row Diverged is thrown all the same.
  void advance(const Report& report);
  /// Waits for the update of the previous step, if it is not settled, and reports it. Throws as advance().
  void settle(const Report& report);
  /// Trains and settles one step.
  metrics::StepMetrics step();
  /// If the next step begins with a mask update that is still to be made, makes it: new masks and streams, on reloaded
  /// wafers. All previous steps must be settled. Throws as advance().
  void update_masks();
  /// True if the state after `step` steps must be evaluated: the caller must settle() it before the next step.
  bool evaluation_due(std::uint64_t step) const;
  /// Evaluates the new state, if an evaluation is due. Throws the exceptions of Swarm::evaluate.
  void evaluate(metrics::StepMetrics& metrics);
  /// Reads the data of evaluate_now(), unless it is there. Throws Refusal.
  void load_evaluation();
  /// Uses this data in place of that of load_evaluation(); the run itself must not evaluate.
  void set_evaluation(data::EvalData data) { asked_.emplace(std::move(data)); }
  /// Evaluates the current state, whether an evaluation is due or not; all steps must be settled. Returns nothing if the
  /// run is interrupted meanwhile. Throws the exceptions of Swarm::evaluate.
  std::optional<EvalResult> evaluate_now();
  /// Trains until config.runconfig.steps() are done, and evaluates; `report` is called for each step.
  void run(const std::function<void(const metrics::StepMetrics&)>& report);

  /// After advance() or settle() has thrown Diverged: restores a checkpoint's state and continues after the diverged
  /// step, so that all steps since the checkpoint have changed nothing. Returns the metrics of the diverged step, or
  /// nothing if the evaluation diverged rather than a step, or if more than StepHistory::kMostSkipped steps in a row
  /// were rolled back.
  std::optional<metrics::StepMetrics> roll_back(const checkpoint::CheckpointReader& checkpoint);

  const StepHistory& history() const { return history_; }
  /// True if the state is whole, is the state after history().done() steps, and nothing has diverged.
  bool can_be_saved() const;

  /// The plan that the wafers stream now: the constructor's, until a mask update replaces it.
  const compiler::Plan& plan() const { return cluster_->plan(); }
  Cluster& cluster() { return *cluster_; }
  const Cluster& cluster() const { return *cluster_; }
  swarmx::MemoryXClient& memory() { return cluster_->memory(); }
  memoryx::MemoryX& memoryx() { return cluster_->memoryx(); }
  const data::TrainingData& data() const { return data_; }
  /// Null: the run does not evaluate.
  const Evaluation* evaluation() const { return eval_ ? &*eval_ : nullptr; }
  /// The current activity of the training thread. From any thread.
  swarmx::Part current_part() const { return clock_->now(); }

 private:
  swarmx::MicroBatch batch(const swarmx::BatchRequest& request) const;
  void train_step(metrics::StepMetrics& metrics, const Report& report);
  void stream(metrics::StepMetrics& metrics, const Report& report);
  void skip_step(metrics::StepMetrics& metrics, const memoryx::Diverged& why);
  void settle_previous(const Report& report);
  void add_time(metrics::StepMetrics& metrics);

  const config::Config& config_;
  const ranks::RunContext context_;
  data::TrainingData data_;
  std::optional<Evaluation> eval_;
  std::optional<Evaluation> asked_;  // of load_evaluation() or set_evaluation(), if the run itself does not evaluate
  const MaskSchedule masks_;
  const std::shared_ptr<swarmx::StepClock> clock_ = std::make_shared<swarmx::StepClock>();
  StepHistory history_;
  std::unique_ptr<Cluster> cluster_;
};

}  // namespace weft::train
