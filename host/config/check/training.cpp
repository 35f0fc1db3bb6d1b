#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

#include "host/config/check/sections.hpp"
#include "host/config/keys/params_filter.hpp"
#include "host/config/keys/phases.hpp"
#include "host/config/plural.hpp"
#include "host/memoryx/optimizer.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::config {
namespace {

void check_optimizer(const Config& c) {
  const OptimizerConfig& o = c.optimizer;
  if (o.betas.size() != 2)
    throw c.error("optimizer.betas", plural(o.betas.size(), "value") + ", not 2", "use [0.9, 0.999]");
  const std::pair<const char*, bool> of_momentum[] = {{"optimizer.momentum", o.momentum > 0},
                                                      {"optimizer.dampening", o.dampening > 0},
                                                      {"optimizer.nesterov", o.nesterov}};
  std::vector<std::string_view> have;
  for (const memoryx::OptimizerRule& rule : memoryx::optimizer_rules())
    if (rule.momentum) have.push_back(rule.name);
  for (const auto& [key, given] : of_momentum)
    if (given && !memoryx::find_rule(o.optimizer_type)->momentum)
      throw c.error(
          key, "does not apply to optimizer.optimizer_type " + o.optimizer_type,
          fmt::format("leave it out, or use {}; optimizer.betas are the decays of moments", fmt::join(have, " or ")));
  if (o.nesterov && (o.momentum == 0 || o.dampening > 0))
    throw c.error("optimizer.nesterov", "requires a momentum, and no dampening",
                  "set optimizer.momentum, e.g. 0.9, and optimizer.dampening 0");
  (void)no_decay_tensors(c), (void)decay_tensors(c);
  if (frozen_tensors(c).size() == compiler::model_tensors(c.model).size())
    throw c.error("optimizer.frozen_params", "freezes every tensor, so nothing is left to train",
                  "leave some out, or use runconfig.mode eval");
}

/// Skipping a step must leave the previous weights, which eager updates have already changed.
void check_early(const Config& c) {
  if (!c.memoryx_eager_update || (c.runconfig.on_divergence == "stop" && c.runconfig.max_loss_jump == 0)) return;
  throw c.error("memoryx.eager_update", "a step that has changed weights can no longer be skipped",
                "leave it out, or set runconfig.on_divergence stop");
}

void check_smoothing(const Config& c) {
  if (c.model.label_smoothing == 0 || c.model.smoothing() != 0) return;
  throw c.error(
      "model.label_smoothing",
      fmt::format("{:g} is too small: rounded to bf16, the label keeps its whole weight", c.model.label_smoothing),
      "use 0.002 or more, or 0");
}

/// A rollback needs a checkpoint that every run with these settings has, wherever the run was interrupted.
void check_rollback(const Config& c) {
  if (c.runconfig.on_divergence != "rollback" || c.runconfig.checkpoint_steps > 0) return;
  throw c.error("runconfig.on_divergence", "rollback has no checkpoints to return to",
                "set runconfig.checkpoint_steps, or use skip");
}

void check_learning_rate(const Config& c) {
  const char* key = "optimizer.learning_rate";
  const std::vector<LearningRatePhase>& phases = c.optimizer.learning_rate;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const PhaseFault fault = check_phase(phases[i], i + 1 == phases.size());
    if (!fault.problem.empty())
      throw c.error(key, fmt::format("phase {} ({}) {}", i + 1, phases[i].scheduler, fault.problem), fault.hint);
  }
}

}  // namespace

void check_training(const Config& c) {
  check_optimizer(c);
  check_early(c);
  check_smoothing(c);
  check_rollback(c);
  check_learning_rate(c);
}

}  // namespace weft::config
