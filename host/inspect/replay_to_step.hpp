/// State of a training run before a given step, reached by training on the functional model.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <vector>

#include "host/config/config.hpp"
#include "host/system/progress.hpp"
#include "host/train/resume.hpp"
#include "host/train/trainer.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::inspect {

/// Inputs of the wafers in a step: the weights, and the tokens of each micro-batch.
class ReplayToStep {
 public:
  /// `step` counts from 1. Starts from runconfig.checkpoint_path, the newest checkpoint of model_dir before the step,
  /// or the seed, and trains up to the step on the functional model, which is bit-exact with every backend. Reports
  /// steps to `out`; `progress`, if given, displays the progress. Writes no file. Throws Refusal.
  ReplayToStep(const config::Config& config, std::uint64_t step, std::ostream& out,
               system::Progress* progress = nullptr);

  const config::Config& config() const { return config_; }
  const compiler::Plan& plan() const { return trainer_->plan(); }
  std::uint64_t step() const { return step_; }
  std::span<const float> parameters();
  /// Messages that load the tokens of micro-batch `m` into the wafer. Throws Refusal if the step has no such
  /// micro-batch.
  std::vector<machine::Message> tokens(std::uint64_t m) const;

 private:
  config::Config config_;
  std::uint64_t step_;
  train::ResumePoint start_;
  compiler::Plan plan_;
  std::unique_ptr<train::Trainer> trainer_;
};

}  // namespace weft::inspect
