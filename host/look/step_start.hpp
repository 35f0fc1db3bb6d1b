/// A training run as it is before a step: the functional model has trained up to there.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <vector>

#include "host/config/config.hpp"
#include "host/train/start.hpp"
#include "host/train/trainer.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// What the wafers would get in a step: the weights, and the tokens of each micro-batch.
class StepStart {
 public:
  /// Step `step`, the first one is 1. Begins with runconfig.checkpoint_path, or the newest checkpoint of model_dir
  /// before the step, or the seed, and trains the rest on the functional model, whose bits are those of every backend;
  /// says so to `out`. Writes nothing. Throws Refusal.
  StepStart(const Config& config, std::uint64_t step, std::ostream& out);

  const Config& config() const { return config_; }
  const Plan& plan() const { return trainer_->plan(); }
  std::uint64_t step() const { return step_; }
  std::span<const float> parameters();
  /// Messages that put micro-batch `m` into the wafer. Throws Refusal if the step has not so many.
  std::vector<Message> tokens(std::uint64_t m) const;

 private:
  Config config_;
  std::uint64_t step_;
  Start start_;
  Plan plan_;
  std::unique_ptr<Trainer> trainer_;
};

}  // namespace weft
