/// A side that is run here: a configuration, its plan and its wafers.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "host/config/config.hpp"
#include "host/look/bisect/side.hpp"
#include "host/train/start.hpp"
#include "host/train/trainer.hpp"

namespace weft::bisect {

class Recorder : public Side {
 public:
  /// Begins with runconfig.checkpoint_path, else with the seed; what model_dir has is not looked at, and nothing is
  /// written. `wafers` makes those of the configuration's backend; default: make_wafer. Throws Refusal.
  explicit Recorder(const Config& config, MakeWafer wafers = {});
  /// With a plan that is not quite that of the configuration.
  Recorder(const Config& config, Plan plan, MakeWafer wafers);

  Steps steps() override;
  State state(std::uint64_t step) override;
  Phases phases(std::uint64_t step) override;
  /// A phase of the functional model shows what the RTL does from the model's state on, but the model's memory.
  Phase phase(const Request& request) override;

  const Plan& plan() const { return plan_; }
  /// How the settings of what was recorded differ from those of the checkpoint that it began with; none: not at all.
  const std::optional<std::string>& note() const { return note_; }

 private:
  std::unique_ptr<Trainer> trainer();
  /// After `done` steps.
  std::unique_ptr<Trainer> trained(std::uint64_t done);
  std::vector<Message> tokens(const Trainer& trainer, std::uint64_t step, std::uint64_t micro_batch) const;

  Config config_;
  Start start_;
  Plan plan_;
  MakeWafer wafers_;
  std::optional<std::string> note_;
};

}  // namespace weft::bisect
