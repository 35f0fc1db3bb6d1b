/// The mode `train`: a run from its start, or from where it was stopped, to its last step.
#pragma once

#include <chrono>
#include <iosfwd>

#include "host/config/config.hpp"
#include "host/swarmx/serve.hpp"

namespace weft {

struct TrainOptions {
  /// The longest time without a checkpoint. When it is over the run writes one, which the next checkpoint replaces.
  std::chrono::milliseconds autosave = std::chrono::minutes(10);
};

/// Trains, prints to `out`, and keeps metrics and checkpoints in model_dir. Returns the program's exit code: 0, or 130
/// if it was interrupted and has saved its state. Throws Refusal for what the user can mend, and what Swarm::step
/// throws, after saving the state before that step, unless that has diverged. Catches interrupts from the first step
/// on: what was refused, or ended or failed before that was done, leaves no file or folder of its own.
int train(const Config& config, const MakeWafer& make_wafer, std::ostream& out, const TrainOptions& options = {});

}  // namespace weft
