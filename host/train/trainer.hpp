/// One training run: MemoryX, the tree of wafers and the data, step by step.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "host/metrics/metrics.hpp"
#include "host/checkpoint/reader.hpp"
#include "host/config/config.hpp"
#include "host/data/data.hpp"
#include "host/memoryx/diverged.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/memory/ranks.hpp"
#include "host/swarmx/root/swarm.hpp"
#include "host/train/mask_schedule.hpp"
#include "host/train/evaluation.hpp"
#include "host/train/options.hpp"

namespace weft {

class Trainer {
 public:
  /// Reads the data, initialises the parameters (in DRAM if `store` is null) and starts the wafers. `config` and `plan`
  /// must outlive this. Throws Refusal.
  Trainer(const Config& config, const Plan& plan, MakeWafer make_wafer,
          std::unique_ptr<ParameterStore> store = nullptr);
  /// Uses data that was read already.
  Trainer(const Config& config, const Plan& plan, TrainingData data, MakeWafer make_wafer,
          std::unique_ptr<ParameterStore> store);

  /// The plan that the wafers stream now: `plan`, until a mask update replaces it.
  const Plan& plan() const { return *plan_; }
  /// If the next step begins with a mask update that is still to be made, makes it: new masks and streams, on reloaded
  /// wafers. All previous steps must be settled. Throws as advance().
  void deal();
  /// The number of steps done at the last mask update; empty: none yet.
  std::optional<std::uint64_t> dealt() const { return dealt_; }

  /// Receives a settled step: its update is over, its hash is known, and its weights have not diverged. done() includes
  /// the step, and MemoryX has the state after it.
  using Report = std::function<void(StepMetrics& metrics)>;

  /// Trains a step: streams it and begins its update. The previous step is settled while this one streams, and reported
  /// before any weight changes again. The previous step is reported even if an exception is thrown, unless its weights
  /// have diverged, in which case Diverged is thrown. Otherwise throws the exceptions of Swarm::step and `report`. With
  /// runconfig.on_divergence skip, a step whose loss or gradient has diverged changes nothing and counts as done; after
  /// kMostSkipped such steps in a row Diverged is thrown all the same.
  void advance(const Report& report);
  /// Waits for the update of the previous step, if it is not settled, and reports it. Throws as advance().
  void settle(const Report& report);
  /// Trains and settles one step.
  StepMetrics step();
  /// True if the state after `step` steps must be evaluated: the caller must settle() it before the next step.
  bool evaluates(std::uint64_t step) const;
  /// Evaluates the new state, if an evaluation is due. Throws the exceptions of Swarm::evaluate.
  void evaluate(StepMetrics& metrics);
  /// Trains until config.runconfig.steps() are done, and evaluates; `report` is called for each step.
  void run(const std::function<void(const StepMetrics&)>& report);

  static constexpr int kMostSkipped = 10;  ///< maximum number of skipped steps in a row

  /// After advance() or settle() has thrown Diverged: restores a checkpoint's state and continues after the diverged
  /// step, so that all steps since the checkpoint have changed nothing. Returns the metrics of the diverged step, or
  /// nothing if the evaluation diverged rather than a step, or if more than kMostSkipped steps in a row were rolled
  /// back.
  std::optional<StepMetrics> roll_back(const CheckpointReader& checkpoint);
  /// The moving average that the next loss is compared with (runconfig.max_loss_jump); empty: there is none yet.
  std::optional<double> average_loss() const { return average_; }
  void resume_average(std::optional<double> average) { average_ = average; }
  /// Number of steps skipped since the last one that was not.
  int skipped_last() const { return skipped_; }
  /// True if the last step's evaluation was interrupted.
  bool evaluation_cut() const { return evaluation_cut_; }
  /// True if the state is whole, is the state after `done` steps, and nothing has diverged.
  bool can_be_saved() const { return !diverged_ && !pending_ && memory_ != nullptr && memory_->whole(); }
  /// Number of steps done and settled.
  std::uint64_t done() const { return done_; }
  /// Number of steps done, including one that is not settled yet.
  std::uint64_t begun() const { return done_ + (pending_ ? 1 : 0); }
  /// Continues from the checkpoint, whose state MemoryX must already have: the next step is the one after it, and takes
  /// the samples that follow those that the checkpoint's run has consumed.
  void resume(const CheckpointReader& checkpoint);

  Memory& memory() { return *memory_; }
  /// The MemoryX in this process; only if MemoryX has no ranks of its own (memoryx.ranks).
  MemoryX& memoryx() { return *memoryx_; }
  /// The pages of MemoryX in this process; null: there are none.
  const Pieces* pieces() const { return memoryx_ ? memoryx_->pieces() : nullptr; }
  const TrainingData& data() const { return data_; }
  /// Null: the run does not evaluate.
  const Evaluation* evaluation() const { return eval_ ? &*eval_ : nullptr; }
  /// The current tasks of all members. From any thread.
  SwarmStatus status() const;
  /// MemoryRanks::left_by; empty: there are no MemoryX ranks.
  std::string left_by() const { return parts_ != nullptr ? parts_->left_by() : ""; }
  /// The current activity of the training thread. From any thread.
  Part part() const { return clock_->now(); }

 private:
  MicroBatch batch(const BatchRequest& request) const;
  void start_memory(std::unique_ptr<ParameterStore> store);
  void start_swarm();
  void end_swarm();
  void replan(Plan plan);
  void train(StepMetrics& metrics, const Report& report);
  void announce(const Report& report);
  Settled settled_now();
  void time(StepMetrics& metrics);
  bool skip(const Diverged& why);
  void look_at(std::uint64_t step, double loss);

  const Config& config_;
  std::unique_ptr<const Plan> own_;  // of the last mask update; null: none yet
  const Plan* plan_;
  TrainingData data_;
  std::optional<Evaluation> eval_;
  std::unique_ptr<MemoryX> memoryx_;  // null: separate ranks hold it, or a mask update had no room for a new one
  std::unique_ptr<Memory> memory_;    // wraps memoryx_, or is the ranks; null: as above
  MemoryRanks* parts_ = nullptr;      // memory_, if it is the ranks; null: there are none
  const Deals deals_;
  MakeWafer make_wafer_;
  const std::shared_ptr<KeptWafers> kept_ = std::make_shared<KeptWafers>();  // wafers that one swarm keeps for the next
  const std::shared_ptr<StepClock> clock_ = std::make_shared<StepClock>();
  mutable std::mutex swarm_changes_;  // held to replace swarm_, and to read it from another thread
  std::optional<Swarm> swarm_;
  std::uint64_t done_ = 0;              // number of steps
  std::optional<StepMetrics> pending_;  // a step whose update has begun
  int skipped_ = 0;                     // number of steps, in a row
  bool diverged_ = false;
  bool evaluation_diverged_ = false;
  std::optional<double> average_;  // exponential moving average of losses
  int back_ = 0;                   // number of steps rolled back, in a row
  bool evaluation_cut_ = false;
  std::optional<std::uint64_t> dealt_;
  int awaited_ = 0;               // wafers of other processes that reconnect to the next swarm; 0: all
  std::set<std::string> coming_;  // names of the members, of any role, that reconnect
  bool growing_ = false;          // plan_ returns gradients of all weights, because a mask update has failed
};

}  // namespace weft
