#include "host/train/cluster.hpp"

#include <utility>

#include "host/config/plural.hpp"
#include "host/ranks/joining.hpp"
#include "host/ranks/member_ranks.hpp"
#include "host/system/signals.hpp"
#include "host/train/options.hpp"
#include "sw/base/invariant.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::train {

Cluster::Cluster(const config::Config& config, const compiler::Plan& plan, const data::TrainingData& data,
                 Options options)
    : config_(config),
      plan_(&plan),
      data_(data),
      make_wafer_(std::move(options.make_wafer)),
      get_batch_(std::move(options.get_batch)),
      context_(std::move(options.context)),
      clock_(std::move(options.clock)) {
  start_memory(std::move(options.store));
  start_swarm();
}

/// Creates MemoryX in this process, or connects to the ranks that hold it.
void Cluster::start_memory(std::unique_ptr<memoryx::ParameterStore> store) {
  if (!context_.joining || context_.joining->memory == 0) {
    memoryx_ = std::make_unique<memoryx::MemoryX>(*plan_, memoryx_options(config_), std::move(store));
    memory_ = std::make_unique<swarmx::LocalMemoryXClient>(*plan_, *memoryx_);
    return;
  }
  const swarmx::SwarmOptions as_swarm = swarm_options(config_, {}, {}, context_.joining.get());
  auto ranks =
      std::make_unique<swarmx::MemoryRanks>(*plan_, swarmx::MemoryRanksOptions{.ranks = as_swarm.memory,
                                                                               .memoryx = memoryx_options(config_),
                                                                               .credentials = as_swarm.credentials,
                                                                               .address = as_swarm.address,
                                                                               .job = as_swarm.job,
                                                                               .build = as_swarm.build,
                                                                               .digest = as_swarm.digest,
                                                                               .network_text = as_swarm.network_text,
                                                                               .silence = as_swarm.silence,
                                                                               .straggler = as_swarm.straggler,
                                                                               .timeout = as_swarm.timeout,
                                                                               .say = as_swarm.say,
                                                                               .leave = as_swarm.leave,
                                                                               .on_leave_request = system::request_end,
                                                                               .clock = clock_});
  memory_ranks_ = ranks.get();
  memory_ = std::move(ranks);
}

/// Ends the swarm so that a new one can take over, e.g. after a step whose result diverged. give_way() makes the
/// members in other processes reconnect instead of exiting.
void Cluster::end_swarm() {
  if (swarm_ && context_.joining) {
    const swarmx::SwarmStatus status = swarm_->status();
    awaited_ = static_cast<int>(status.connected_wafers());
    status.each([this](const swarmx::RankStatus& rank) {
      if (rank.is_connected()) reconnecting_.insert(rank.name);
      if (rank.state == swarmx::RankStatus::State::Lost) reconnecting_.erase(rank.name);
    });
    swarm_->give_way();
  }
  swarm_.reset();
}

void Cluster::start_swarm() {
  const std::lock_guard lock(swarm_changes_);
  end_swarm();
  swarmx::SwarmOptions options = swarm_options(config_, make_wafer_, get_batch_, context_.joining.get());
  if (context_.joining && context_.joining->data) {
    options.data_name = ranks::data_name(config_, data_);
    options.position = [this](std::uint64_t step) { return data_.position(step); };
  }
  options.clock = clock_;
  options.awaited = std::exchange(awaited_, 0);
  options.coming.assign(reconnecting_.begin(), reconnecting_.end());
  options.wafer_cache = wafer_cache_;
  if (memory_ranks_ != nullptr) options.memory_port = memory_ranks_->port();
  swarm_.emplace(*plan_, std::move(options));
}

void Cluster::replace_plan(compiler::Plan plan, bool dense_gradients) {
  auto next = std::make_unique<const compiler::Plan>(std::move(plan));
  {
    const std::lock_guard lock(swarm_changes_);
    end_swarm();
  }
  std::unique_ptr<memoryx::ParameterStore> store = memoryx_->take_store();
  memory_.reset();
  memoryx_.reset();
  memoryx_ = memoryx::MemoryX::of_state(*next, memoryx_options(config_), std::move(store));
  memory_ = std::make_unique<swarmx::LocalMemoryXClient>(*next, *memoryx_);
  own_plan_ = std::move(next);
  plan_ = own_plan_.get();
  dense_gradients_ = dense_gradients;
}

swarmx::SwarmStatus Cluster::status() const {
  const std::lock_guard lock(swarm_changes_);
  swarmx::SwarmStatus status = swarm_ ? swarm_->status() : swarmx::SwarmStatus{};
  if (memory_ranks_ != nullptr) status.memory = memory_ranks_->status();
  return status;
}

}  // namespace weft::train
