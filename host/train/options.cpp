#include "host/train/options.hpp"

#include <iostream>
#include <utility>

#include "host/config/keys/params_filter.hpp"
#include "host/config/keys/phases.hpp"
#include "host/memoryx/tier.hpp"
#include "host/ranks/joining.hpp"
#include "host/ranks/log_line.hpp"
#include "host/system/signals.hpp"

namespace weft::train {

swarmx::SwarmOptions swarm_options(const config::Config& config, swarmx::MakeWafer make_wafer, swarmx::GetBatch get,
                                   const ranks::Joining* joining) {
  swarmx::SwarmOptions options;
  options.num_csx = config.runconfig.num_csx;
  options.fanout = config.swarmx_fanout;
  options.micro_batches = static_cast<std::uint32_t>(config.micro_batches());
  options.make_wafer = std::move(make_wafer);
  options.get = std::move(get);
  if (joining == nullptr) return options;
  options.local_wafers = 0;
  options.nodes = joining->nodes;
  options.memory = joining->memory;
  options.min_csx = config.swarmx_min_csx;
  options.timeout = config.swarm_timeout();
  options.silence = config.swarm_silence();
  options.straggler = config.swarmx_straggler;
  options.credentials = joining->credentials;
  options.address = joining->address;
  options.port = joining->ports.front();
  options.other_ports = joining->other_ports();
  options.job = joining->job;
  options.build = joining->build;
  options.digest = joining->digest;
  options.network_text = network::network_text(config.model.network);
  options.say = [](const std::string& line) { std::cerr << ranks::log_line(line) << std::flush; };
  options.leave = system::interrupted;
  return options;
}

memoryx::MemoryXOptions memoryx_options(const config::Config& config) {
  const config::OptimizerConfig& o = config.optimizer;
  std::vector<memoryx::ScheduleEntry> entries;
  for (const config::LearningRatePhase& phase : o.learning_rate) entries.push_back(config::schedule_entry(phase));
  return {.optimizer = {.rule = memoryx::find_rule(o.optimizer_type)->name,
                        .beta1 = o.betas[0],
                        .beta2 = o.betas[1],
                        .eps = o.eps,
                        .correct_bias = o.correct_bias,
                        .momentum = o.momentum,
                        .dampening = o.dampening,
                        .nesterov = o.nesterov,
                        .weight_decay = o.weight_decay,
                        .max_gradient_norm = o.max_gradient_norm},
          .no_decay = config::no_decay_tensors(config),
          .decay = config::decay_tensors(config),
          .frozen = config::frozen_tensors(config),
          .learning_rate = memoryx::LearningRate(std::move(entries)),
          .seed = static_cast<std::uint64_t>(config.runconfig.seed),
          .threads = static_cast<unsigned>(config.memoryx_threads),
          .eager = config.memoryx_eager_update};
}

std::uint64_t dram_bytes(const config::Config& config) {
  return static_cast<std::uint64_t>(config.memoryx_dram_gib * (1U << 30));
}

std::unique_ptr<memoryx::ParameterStore> make_store(const config::Config& config, const compiler::Plan& plan) {
  if (config.memoryx_dram_gib == 0) return nullptr;
  const std::string& folder = config.memoryx_flash_dir;
  try {
    return std::make_unique<memoryx::TierStore>(
        plan.parameters, memoryx::TierOptions{.dram = dram_bytes(config),
                                              .folder = folder.empty() ? config.runconfig.model_dir : folder,
                                              .threads = static_cast<unsigned>(config.memoryx_threads),
                                              .moments = memoryx::state_vectors(memoryx_options(config).optimizer)});
  } catch (const Refusal& e) {
    if (e.subject() == "memoryx.dram_gib") throw config.error("memoryx.dram_gib", e.problem(), e.hint());
    throw config.error(folder.empty() ? "runconfig.model_dir" : "memoryx.flash_dir", e);
  }
}

}  // namespace weft::train
