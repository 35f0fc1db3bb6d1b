/// One training run: MemoryX, the tree of wafers and the data, step by step.
#pragma once

#include <functional>
#include <optional>

#include "host/appliance/config/config.hpp"
#include "host/appliance/data/data.hpp"
#include "host/appliance/metrics.hpp"
#include "host/appliance/train/evaluation.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/swarm.hpp"

namespace weft {

/// The optimizer, its learning rate and the initial parameters' seed, in MemoryX's terms.
MemoryXOptions memoryx_options(const Config& config);

/// The tree, in SwarmX's terms.
SwarmOptions swarm_options(const Config& config, MakeWafer make_wafer, GetBatch get);

class Trainer {
 public:
  /// Reads the data, initialises the parameters, starts the wafers. `config` and `plan` must outlive this. Throws
  /// Refusal.
  Trainer(const Config& config, const Plan& plan, MakeWafer make_wafer);

  /// One step. Throws what Swarm::step throws.
  StepMetrics step();
  /// Steps until config.runconfig.steps() are done; `report` sees each.
  void run(const std::function<void(const StepMetrics&)>& report);

  /// The last step's evaluation was interrupted.
  bool evaluation_cut() const { return evaluation_cut_; }
  /// Steps done.
  std::uint64_t done() const { return done_; }
  /// `done` steps are done, and MemoryX has the state after them: the next step takes their successor's samples.
  void resume(std::uint64_t done) { done_ = done; }

  MemoryX& memoryx() { return memoryx_; }
  const TrainingData& data() const { return data_; }

 private:
  MicroBatch batch(const BatchRequest& request) const;

  const Config& config_;
  TrainingData data_;
  std::optional<Evaluation> eval_;
  MemoryX memoryx_;
  Swarm swarm_;
  std::uint64_t done_ = 0;  // steps
  bool evaluation_cut_ = false;
};

}  // namespace weft
