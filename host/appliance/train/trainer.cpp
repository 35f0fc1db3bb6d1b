#include "host/appliance/train/trainer.hpp"

#include <fmt/format.h>

#include <iostream>
#include <limits>
#include <utility>

#include "host/appliance/compile_plan.hpp"
#include "host/appliance/config/params_filter.hpp"
#include "host/appliance/config/phases.hpp"
#include "host/appliance/counted.hpp"
#include "host/appliance/data/about.hpp"
#include "host/appliance/data/load_data.hpp"
#include "host/appliance/progress.hpp"
#include "host/appliance/ranks/data.hpp"
#include "host/appliance/ranks/joining.hpp"
#include "host/appliance/ranks/log_line.hpp"
#include "host/appliance/train/start.hpp"
#include "host/memoryx/invariant.hpp"
#include "host/memoryx/tier.hpp"

namespace weft {
namespace {

OptimizerOptions::Rule rule_of(const std::string& name) {
  using Rule = OptimizerOptions::Rule;
  return name == "Adam" ? Rule::Adam : name == "SGD" ? Rule::SGD : name == "Lion" ? Rule::Lion : Rule::AdamW;
}

}  // namespace

SwarmOptions swarm_options(const Config& config, MakeWafer make_wafer, GetBatch get) {
  SwarmOptions options;
  options.num_csx = config.runconfig.num_csx;
  options.fanout = config.swarmx_fanout;
  options.micro_batches = static_cast<std::uint32_t>(config.micro_batches());
  options.make_wafer = std::move(make_wafer);
  options.get = std::move(get);
  if (!config.joining) return options;
  options.local_wafers = 0;
  options.nodes = config.joining->nodes;
  options.memory = config.joining->memory;
  options.min_csx = config.swarmx_min_csx;
  options.timeout = config.swarm_timeout();
  options.silence = config.swarm_silence();
  options.straggler = config.swarmx_straggler;
  options.credentials = config.joining->credentials;
  options.address = config.joining->address;
  options.port = config.joining->port;
  options.job = config.joining->job;
  options.digest = config.joining->digest;
  options.network_text = network_text(config.model.network);
  options.say = [](const std::string& line) { std::cerr << log_line(line) << std::flush; };
  return options;
}

MemoryXOptions memoryx_options(const Config& config) {
  const OptimizerConfig& o = config.optimizer;
  std::vector<ScheduleEntry> entries;
  for (const LearningRatePhase& phase : o.learning_rate) entries.push_back(schedule_entry(phase));
  return {.optimizer = {.rule = rule_of(o.optimizer_type),
                        .beta1 = o.betas[0],
                        .beta2 = o.betas[1],
                        .eps = o.eps,
                        .correct_bias = o.correct_bias,
                        .momentum = o.momentum,
                        .dampening = o.dampening,
                        .nesterov = o.nesterov,
                        .weight_decay = o.weight_decay,
                        .max_gradient_norm = o.max_gradient_norm},
          .no_decay = no_decay_tensors(config),
          .frozen = frozen_tensors(config),
          .learning_rate = LearningRate(std::move(entries)),
          .seed = static_cast<std::uint64_t>(config.runconfig.seed),
          .threads = static_cast<unsigned>(config.memoryx_threads),
          .early = config.memoryx_early};
}

std::unique_ptr<ParameterStore> make_store(const Config& config, const Plan& plan) {
  if (config.memoryx_dram_gib == 0) return nullptr;
  const std::string& folder = config.memoryx_flash_dir;
  try {
    return std::make_unique<TierStore>(
        plan.parameters, TierOptions{.dram = static_cast<std::uint64_t>(config.memoryx_dram_gib * (1U << 30)),
                                     .folder = folder.empty() ? config.runconfig.model_dir : folder,
                                     .threads = static_cast<unsigned>(config.memoryx_threads),
                                     .moments = state_vectors(memoryx_options(config).optimizer)});
  } catch (const Refusal& e) {
    if (e.subject() == "memoryx.dram_gib") throw config.error("memoryx.dram_gib", e.problem(), e.hint());
    throw config.error(folder.empty() ? "runconfig.model_dir" : "memoryx.flash_dir", e);
  }
}

Trainer::Trainer(const Config& config, const Plan& plan, MakeWafer make_wafer, std::unique_ptr<ParameterStore> store)
    : config_(config),
      plan_(&plan),
      data_(load_training_data(config)),
      deals_(config),
      make_wafer_(std::move(make_wafer)) {
  if (config.runconfig.eval_frequency > 0 || config.runconfig.mode == "train_and_eval") {
    eval_.emplace(load_eval_data(config));
  }
  start_memory(std::move(store));
  start_swarm();
}

/// Here, or where other processes come to have it.
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
                                                                        .digest = as_swarm.digest,
                                                                        .network_text = as_swarm.network_text,
                                                                        .silence = as_swarm.silence,
                                                                        .timeout = as_swarm.timeout,
                                                                        .say = as_swarm.say});
  parts_ = ranks.get();
  memory_ = std::move(ranks);
}

SwarmStatus Trainer::status() const {
  const std::lock_guard lock(swarm_changes_);
  SwarmStatus status = swarm_ ? swarm_->status() : SwarmStatus{};
  if (parts_ != nullptr) status.memory = parts_->status();
  return status;
}

void Trainer::start_swarm() {
  const std::lock_guard lock(swarm_changes_);
  swarm_.reset();
  SwarmOptions options =
      swarm_options(config_, make_wafer_, [this](const BatchRequest& request) { return batch(request); });
  options.data_name = data_name(config_, data_);
  options.clock = clock_;
  options.awaited = std::exchange(awaited_, 0);
  if (parts_ != nullptr) options.memory_port = parts_->port();
  swarm_.emplace(*plan_, std::move(options));
}

MicroBatch Trainer::batch(const BatchRequest& request) const {
  return about(config_, request.train ? "train_input.data_dir" : "eval_input.data_dir", [&]() -> MicroBatch {
    if (!request.train) return eval_->batch(request);
    Batch batch = data_.micro_batch(request.step, static_cast<int>(request.micro_batch));
    return {std::move(batch.inputs), std::move(batch.labels)};
  });
}

/// Streams, sums, and applies; announces the step before meanwhile.
void Trainer::train(StepMetrics& metrics, const Report& report) {
  if (config_.progress)
    config_.progress->begin(fmt::format("step {}", metrics.step),
                            plan_->ops.size() * static_cast<std::uint64_t>(config_.micro_batches()));
  const StepResult result = swarm_->step(
      metrics.step - 1, *memory_, [&] { announce(report); }, [&](double loss) { look_at(metrics.step, loss); });
  metrics.loss = result.loss;
  metrics.learning_rate = result.applied.learning_rate;
  metrics.tokens = result.tokens;
  metrics.edge_bytes = 4 * result.edge_messages;
  if (config_.joining) metrics.repeated = result.repeated;
  if (config_.runs_on("model")) return;  // it has no clock
  metrics.sim_cycles = result.sim_cycles;
  if (config_.runs_on("fpga")) return;  // it does not count what its lanes do
  const double slots = static_cast<double>(config_.wafer.lanes) * config_.wafer.rows * config_.wafer.cols *
                       config_.runconfig.num_csx * static_cast<double>(result.sim_cycles);
  metrics.fpu_utilization = static_cast<double>(result.fma_lanes) / slots;
}

/// Throws Diverged if the loss has jumped. The average forgets a tenth of itself a step.
void Trainer::look_at(std::uint64_t step, double loss) {
  const double most = config_.runconfig.max_loss_jump;
  if (most == 0) return;
  if (average_ && loss > *average_ + most) {
    throw Diverged(
        fmt::format("step {}: the loss has jumped to {:.5f} from {:.5f}, the average of those before. HINT: lower "
                    "optimizer.learning_rate, or set runconfig.on_divergence skip or rollback.",
                    step, loss, *average_));
  }
  average_ = average_ ? 0.9 * *average_ + 0.1 * loss : loss;
}

std::optional<StepMetrics> Trainer::roll_back(const CheckpointReader& checkpoint) {
  if (evaluation_diverged_) return std::nullopt;
  if (++back_ > kMostSkipped) return std::nullopt;
  if (deals_.move()) replan(compile_plan(config_, checkpoint.mask));
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
  time(metrics);  // of the step that failed as well
  return metrics;
}

/// Whether to go on with the step undone: on wafers that start anew, as those of a failed step do not.
bool Trainer::skip(const Diverged& why) {
  if (config_.runconfig.on_divergence != "skip") return false;
  if (++skipped_ > kMostSkipped) {
    throw Diverged(fmt::format("{} in a row have diverged, the last one: {}", counted(skipped_, "step"), why.what()));
  }
  start_swarm();
  return true;
}

/// Everything that knows the plan begins anew, but for the state, of which stays what the plan's masks keep. No swarm
/// runs then.
void Trainer::replan(Plan plan) {
  auto next = std::make_unique<const Plan>(std::move(plan));
  {
    const std::lock_guard lock(swarm_changes_);
    if (swarm_ && config_.joining) {
      awaited_ = static_cast<int>(swarm_->status().here());
      swarm_->give_way();
    }
    swarm_.reset();
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
    replan(compile_growing_plan(config_, plan_->mask));
    growing_ = true;
    start_swarm();
    swarm_->gradient(done_, *memoryx_);
  }
  replan(compile_plan(config_, deals_.deal(*plan_, done_, *memoryx_)));
  dealt_ = done_;
  start_swarm();
}

void Trainer::advance(const Report& report) {
  if (growing_ || deals_.due(begun())) settle(report);
  clock_->take();  // what was before is no step's
  StepMetrics metrics;
  metrics.step = begun() + 1;
  try {
    if (growing_) {
      replan(compile_plan(config_, plan_->mask));
      start_swarm();
    }
    deal();
    if (dealt_ == begun()) metrics.kept = count_kept(plan_->tensors, plan_->mask);
    train(metrics, report);
    skipped_ = 0;
  } catch (const Diverged& why) {
    announce(report);  // it may be the step before whose weights have
    diverged_ = true;
    if (!skip(why)) throw;
    diverged_ = false;
    metrics.skipped = true;
    metrics.loss = metrics.grad_norm = std::numeric_limits<double>::quiet_NaN();
    metrics.learning_rate = memory_->learning_rate(metrics.step - 1);
  } catch (...) {
    announce(report);
    throw;
  }
  time(metrics);
  pending_ = metrics;
}

Settled Trainer::settled_now() {
  const StepClock::In waits(clock_.get(), Part::Update);
  return memory_->settle();
}

/// Adds the time since it was last asked.
void Trainer::time(StepMetrics& metrics) {
  metrics.times = metrics.times + clock_->take();
  metrics.seconds = metrics.times.sum();
}

/// Waits until the step before is settled, unless it has been announced.
void Trainer::announce(const Report& report) {
  if (!pending_) return;
  StepMetrics metrics = *pending_;
  const Settled settled = settled_now();
  if (settled.diverged) {
    diverged_ = true;
    throw Diverged(
        fmt::format("step {}: {}. HINT: lower optimizer.learning_rate, or clip with "
                    "optimizer.max_gradient_norm; nothing of this step is saved.",
                    metrics.step, *settled.diverged));
  }
  if (!metrics.skipped) metrics.grad_norm = settled.gradient_norm;
  metrics.state_hash = settled.hash;
  pending_.reset();
  ++done_;
  if (!metrics.skipped) back_ = 0;
  report(metrics);
}

void Trainer::settle(const Report& report) {
  if (!pending_) return;
  {
    const StepClock::In waits(clock_.get(), Part::Update);
    memory_->whole();
  }
  time(*pending_);
  announce(report);
}

StepMetrics Trainer::step() {
  StepMetrics last;
  const Report keep = [&](const StepMetrics& metrics) { last = metrics; };
  advance(keep);
  settle(keep);
  return last;
}

bool Trainer::evaluates(std::uint64_t step) const {
  const RunConfig& run = config_.runconfig;
  if (run.mode == "train_and_eval" && step == static_cast<std::uint64_t>(run.steps())) return true;
  return run.eval_frequency > 0 && step % static_cast<std::uint64_t>(run.eval_frequency) == 0;
}

void Trainer::evaluate(StepMetrics& metrics) {
  evaluation_cut_ = false;
  if (!evaluates(done_)) return;
  try {
    if (config_.progress)
      config_.progress->begin(fmt::format("evaluation after step {}", done_),
                              plan_->forward_ops * static_cast<std::uint64_t>(eval_->data().micro_batches()));
    const auto result = eval_->run(*swarm_, done_, *memory_);
    if (result) metrics.eval_loss = result->loss;
    evaluation_cut_ = !result;
  } catch (const Diverged&) {
    diverged_ = evaluation_diverged_ = true;
    throw;
  }
}

void Trainer::run(const std::function<void(const StepMetrics&)>& report) {
  const Report all = [&](StepMetrics& metrics) {
    evaluate(metrics);
    report(metrics);
  };
  while (begun() < static_cast<std::uint64_t>(config_.runconfig.steps())) {
    advance(all);
    if (evaluates(begun())) settle(all);
  }
  settle(all);
}

}  // namespace weft
