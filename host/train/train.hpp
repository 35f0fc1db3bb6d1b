/// Mode `train`: a run from its start, or from its last checkpoint, to its last step.
#pragma once

#include <iosfwd>

#include "host/config/config.hpp"
#include "host/ranks/run_context.hpp"
#include "host/swarmx/tree/worker_loop.hpp"
#include "host/train/session.hpp"

namespace weft::train {

/// Trains, prints to `out`, and keeps metrics and checkpoints in model_dir. Returns the program's exit code: 0, or 130
/// if the run was interrupted and has saved its state. Throws Refusal for errors that the user can fix. Also throws the
/// exceptions of Swarm::step, after saving the state before that step unless that state has diverged. Catches
/// interrupts from the first step on: a run that is rejected, ends or fails before its first step leaves no file or
/// folder of its own.
int train(const config::Config& config, const swarmx::MakeWafer& make_wafer, std::ostream& out,
          const ranks::RunContext& context = {}, const TrainOptions& options = {});

}  // namespace weft::train
