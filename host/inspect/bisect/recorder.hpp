/// Side of a comparison that runs in this process: a configuration, its plan and its wafers.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "host/config/config.hpp"
#include "host/inspect/bisect/side.hpp"
#include "host/system/progress.hpp"
#include "host/train/resume.hpp"
#include "host/train/trainer.hpp"

namespace weft::inspect::bisect {

class Recorder : public Side {
 public:
  /// Starts from runconfig.checkpoint_path, otherwise from the seed. Checkpoints in model_dir are ignored, and nothing
  /// is written. `wafers` makes the wafers of the configuration's backend; default: make_wafer. Throws Refusal.
  explicit Recorder(const config::Config& config, swarmx::MakeWafer wafers = {});
  /// Uses `plan` in place of the plan compiled from the configuration.
  Recorder(const config::Config& config, compiler::Plan plan, swarmx::MakeWafer wafers);

  Steps steps() override;
  State state(std::uint64_t step) override;
  Phases phases(std::uint64_t step) override;
  /// For the functional model, events are recorded on the RTL, started from the model's state; memory is the model's.
  Phase phase(const Request& request) override;

  /// Displays the progress of training from now on; `progress` must outlive this.
  void show_progress(system::Progress* progress) { progress_ = progress; }

  const compiler::Plan& plan() const { return plan_; }
  /// How the settings of the recorded run differ from those of its initial checkpoint; nullopt if they do not.
  const std::optional<std::string>& note() const { return note_; }

 private:
  std::unique_ptr<train::Trainer> trainer();
  /// Trainer after `done` steps.
  std::unique_ptr<train::Trainer> trained(std::uint64_t done);
  /// Begins to display the progress of so many steps.
  void begin_progress(std::uint64_t steps) const;
  /// Trains a step.
  metrics::StepMetrics step(train::Trainer& run) const;
  std::vector<machine::Message> tokens(const train::Trainer& trainer, std::uint64_t step,
                                       std::uint64_t micro_batch) const;

  config::Config config_;
  train::ResumePoint start_;
  compiler::Plan plan_;
  swarmx::MakeWafer wafers_;
  std::optional<std::string> note_;
  system::Progress* progress_ = nullptr;
};

}  // namespace weft::inspect::bisect
