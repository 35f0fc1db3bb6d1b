/// One training run: MemoryX, the tree of wafers and the data, step by step.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "host/appliance/metrics.hpp"
#include "host/checkpoint/reader.hpp"
#include "host/config/config.hpp"
#include "host/data/data.hpp"
#include "host/memoryx/diverged.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/memory/ranks.hpp"
#include "host/swarmx/swarm.hpp"
#include "host/train/deals.hpp"
#include "host/train/evaluation.hpp"
#include "host/train/options.hpp"

namespace weft {

class Trainer {
 public:
  /// Reads the data, initialises the parameters, in DRAM if `store` is null, starts the wafers. `config` and `plan`
  /// must outlive this. Throws Refusal.
  Trainer(const Config& config, const Plan& plan, MakeWafer make_wafer,
          std::unique_ptr<ParameterStore> store = nullptr);
  /// Takes data that is read already.
  Trainer(const Config& config, const Plan& plan, TrainingData data, MakeWafer make_wafer,
          std::unique_ptr<ParameterStore> store);

  /// What the wafers stream now: `plan`, until masks are dealt anew.
  const Plan& plan() const { return *plan_; }
  /// If the next step begins with a deal that is not made yet, makes it: new masks in new streams, on wafers that are
  /// loaded anew. All of before is settled. Throws as advance().
  void deal();
  /// The steps done when masks were dealt last; nothing: they were not.
  std::optional<std::uint64_t> dealt() const { return dealt_; }

  /// Takes a step that is settled: its update is over and its hash known, its weights are numbers. `done` counts it,
  /// and MemoryX has the state after it.
  using Report = std::function<void(StepMetrics& metrics)>;

  /// Trains a step: streams, sums, and begins its update. The step before is settled while this one streams, and
  /// reported before any weight changes again. Whatever is thrown, that step has been reported, unless its weights have
  /// diverged: then that is what is thrown, Diverged. Else throws what Swarm::step and `report` throw. With
  /// runconfig.on_divergence skip, a step whose loss or gradient has diverged changes nothing and is done; after
  /// kMostSkipped of them in a row it throws as well.
  void advance(const Report& report);
  /// Waits for the update of the step before, if it is not settled, and reports it. Throws as advance().
  void settle(const Report& report);
  /// One step, and it alone.
  StepMetrics step();
  /// Whether the state after `step` steps is to be evaluated: settle() it before the next.
  bool evaluates(std::uint64_t step) const;
  /// Evaluates the new state, if it is time to. Throws what Swarm::evaluate throws.
  void evaluate(StepMetrics& metrics);
  /// Steps until config.runconfig.steps() are done, and evaluates; `report` sees each.
  void run(const std::function<void(const StepMetrics&)>& report);

  static constexpr int kMostSkipped = 10;  ///< steps in a row

  /// After advance() or settle() has thrown Diverged: back to a checkpoint's state, and on after the step that
  /// diverged, which with all since the checkpoint's has changed nothing then. Its line; nothing: it was no step but an
  /// evaluation, or kMostSkipped steps in a row were gone back from before.
  std::optional<StepMetrics> roll_back(const CheckpointReader& checkpoint);
  /// The average that the next loss is held against (runconfig.max_loss_jump); nothing: there was none.
  std::optional<double> average_loss() const { return average_; }
  void resume_average(std::optional<double> average) { average_ = average; }
  /// Steps that were skipped since the last that was not.
  int skipped_last() const { return skipped_; }
  /// The last step's evaluation was interrupted.
  bool evaluation_cut() const { return evaluation_cut_; }
  /// The state is whole, that after `done` steps, and nothing has diverged.
  bool can_be_saved() const { return !diverged_ && !pending_ && memory_ != nullptr && memory_->whole(); }
  /// Steps done, and settled.
  std::uint64_t done() const { return done_; }
  /// The same with the one that is not settled yet.
  std::uint64_t begun() const { return done_ + (pending_ ? 1 : 0); }
  /// MemoryX has the checkpoint's state: the next step is the one after it, and takes the samples that follow those
  /// of the checkpoint's run.
  void resume(const CheckpointReader& checkpoint);

  Memory& memory() { return *memory_; }
  /// In this process, which it is if no others have it (memoryx.ranks).
  MemoryX& memoryx() { return *memoryx_; }
  /// Of MemoryX in this process; null: there are none.
  const Pieces* pieces() const { return memoryx_ ? memoryx_->pieces() : nullptr; }
  const TrainingData& data() const { return data_; }
  /// Null: nothing is evaluated.
  const Evaluation* evaluation() const { return eval_ ? &*eval_ : nullptr; }
  /// Who does what now. From any thread.
  SwarmStatus status() const;
  /// MemoryRanks::left_by; empty: there are none.
  std::string left_by() const { return parts_ != nullptr ? parts_->left_by() : ""; }
  /// What the thread that trains is at. From any thread.
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
  std::unique_ptr<const Plan> own_;  // of the last deal; null: none
  const Plan* plan_;
  TrainingData data_;
  std::optional<Evaluation> eval_;
  std::unique_ptr<MemoryX> memoryx_;  // null: ranks of their own have it, or a deal had no room for another
  std::unique_ptr<Memory> memory_;    // that, or those; null: as above
  MemoryRanks* parts_ = nullptr;      // those; null: there are none
  const Deals deals_;
  MakeWafer make_wafer_;
  const std::shared_ptr<KeptWafers> kept_ = std::make_shared<KeptWafers>();  // by one swarm for the next
  const std::shared_ptr<StepClock> clock_ = std::make_shared<StepClock>();
  mutable std::mutex swarm_changes_;  // whoever makes swarm_ anew, and who looks at it from another thread
  std::optional<Swarm> swarm_;
  std::uint64_t done_ = 0;              // steps
  std::optional<StepMetrics> pending_;  // a step whose update has begun
  int skipped_ = 0;                     // steps, in a row
  bool diverged_ = false;
  bool evaluation_diverged_ = false;
  std::optional<double> average_;  // of losses, the older the less
  int back_ = 0;                   // steps gone back from, in a row
  bool evaluation_cut_ = false;
  std::optional<std::uint64_t> dealt_;
  int awaited_ = 0;               // wafers of other processes that come to the next swarm; 0: all
  std::set<std::string> coming_;  // names, of any role, that do
  bool growing_ = false;          // plan_ has gradients of all weights: a deal has failed
};

}  // namespace weft
