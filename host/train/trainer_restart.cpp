/// Start and restart of a training run's MemoryX and swarm: after a failure, and with new masks.
#include <fmt/format.h>

#include <limits>
#include <utility>

#include "host/system/signals.hpp"
#include "host/ranks/data.hpp"
#include "host/ranks/joining.hpp"
#include "host/config/plural.hpp"
#include "host/memoryx/invariant.hpp"
#include "host/train/resume.hpp"
#include "host/train/trainer.hpp"

namespace weft {

/// Creates MemoryX in this process, or connects to the ranks that hold it.
void Trainer::start_memory(std::unique_ptr<ParameterStore> store) {
  if (!config_.joining || config_.joining->memory == 0) {
    memoryx_ = std::make_unique<MemoryX>(*plan_, memoryx_options(config_), std::move(store));
    memory_ = std::make_unique<LocalMemory>(*plan_, *memoryx_);
    return;
  }
  const SwarmOptions as_swarm = swarm_options(config_, {}, {});
  auto ranks = std::make_unique<MemoryRanks>(*plan_, MemoryRanksOptions{.ranks = as_swarm.memory,
                                                                        .memoryx = memoryx_options(config_),
                                                                        .credentials = as_swarm.credentials,
                                                                        .address = as_swarm.address,
                                                                        .job = as_swarm.job,
                                                                        .build = as_swarm.build,
                                                                        .digest = as_swarm.digest,
                                                                        .network_text = as_swarm.network_text,
                                                                        .silence = as_swarm.silence,
                                                                        .timeout = as_swarm.timeout,
                                                                        .say = as_swarm.say,
                                                                        .leave = as_swarm.leave,
                                                                        .leaves = want_end,
                                                                        .clock = clock_});
  parts_ = ranks.get();
  memory_ = std::move(ranks);
}

/// Ends the swarm so that a new one can take over, e.g. after a step whose result diverged. give_way() makes the
/// members in other processes reconnect instead of exiting.
void Trainer::end_swarm() {
  if (swarm_ && config_.joining) {
    const SwarmStatus status = swarm_->status();
    awaited_ = static_cast<int>(status.here());
    status.each([this](const RankStatus& rank) {
      if (rank.here()) coming_.insert(rank.name);
      if (rank.state == RankStatus::State::Lost) coming_.erase(rank.name);
    });
    swarm_->give_way();
  }
  swarm_.reset();
}

void Trainer::start_swarm() {
  const std::lock_guard lock(swarm_changes_);
  end_swarm();
  SwarmOptions options =
      swarm_options(config_, make_wafer_, [this](const BatchRequest& request) { return batch(request); });
  if (config_.joining && config_.joining->data) {
    options.data_name = data_name(config_, data_);
    options.position = [this](std::uint64_t step) { return data_.position(step); };
  }
  options.clock = clock_;
  options.awaited = std::exchange(awaited_, 0);
  options.coming.assign(coming_.begin(), coming_.end());
  options.kept = kept_;
  if (parts_ != nullptr) options.memory_port = parts_->port();
  swarm_.emplace(*plan_, std::move(options));
}

std::optional<StepMetrics> Trainer::roll_back(const CheckpointReader& checkpoint) {
  if (evaluation_diverged_) return std::nullopt;
  if (++back_ > kMostSkipped) return std::nullopt;
  if (deals_.move()) replan(with_mask(*plan_, checkpoint.mask));
  restore(checkpoint, *memory_);
  pending_.reset();
  diverged_ = false;
  ++done_;
  start_swarm();
  StepMetrics metrics;
  metrics.step = done_;
  metrics.skipped = true;
  metrics.rolled_back_to = checkpoint.step;
  metrics.loss = metrics.grad_norm = std::numeric_limits<double>::quiet_NaN();
  metrics.learning_rate = memory_->learning_rate(done_ - 1);
  metrics.state_hash = memory_->hash();
  time(metrics);  // includes the time of the failed step
  return metrics;
}

/// Returns true if training continues without the failed step. The wafers are restarted, because those of a failed step
/// cannot be reused.
bool Trainer::skip(const Diverged& why) {
  if (config_.runconfig.on_divergence != "skip") return false;
  if (++skipped_ > kMostSkipped) {
    throw Diverged(fmt::format("{} in a row have diverged, the last one: {}", counted(skipped_, "step"), why.what()));
  }
  start_swarm();
  return true;
}

/// Recreates everything that depends on the plan. The state is kept, except weights pruned by the new plan's masks. No
/// swarm runs afterwards.
void Trainer::replan(Plan plan) {
  auto next = std::make_unique<const Plan>(std::move(plan));
  {
    const std::lock_guard lock(swarm_changes_);
    end_swarm();
  }
  std::unique_ptr<ParameterStore> store = memoryx_->take_store();
  memory_.reset();
  memoryx_.reset();
  memoryx_ = MemoryX::of_state(*next, memoryx_options(config_), std::move(store));
  memory_ = std::make_unique<LocalMemory>(*next, *memoryx_);
  own_ = std::move(next);
  plan_ = own_.get();
  growing_ = false;
}

void Trainer::deal() {
  if (!deals_.due(begun()) || dealt_ == begun()) return;
  invariant(!pending_, "masks are dealt between steps");
  if (deals_.by_gradient()) {
    replan(with_mask(*plan_, plan_->mask, Gradients::OfAll));
    growing_ = true;
    start_swarm();
    swarm_->gradient(done_, *memoryx_);
  }
  replan(with_mask(*plan_, deals_.deal(*plan_, done_, *memoryx_)));
  dealt_ = done_;
  start_swarm();
}

}  // namespace weft
