#include "host/train/trainer.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "host/system/progress.hpp"
#include "host/config/error_context.hpp"
#include "host/data/load_data.hpp"
#include "host/train/resume.hpp"

namespace weft {

Trainer::Trainer(const Config& config, const Plan& plan, MakeWafer make_wafer, std::unique_ptr<ParameterStore> store)
    : Trainer(config, plan, load_training_data(config), std::move(make_wafer), std::move(store)) {}

Trainer::Trainer(const Config& config, const Plan& plan, TrainingData data, MakeWafer make_wafer,
                 std::unique_ptr<ParameterStore> store)
    : config_(config), plan_(&plan), data_(std::move(data)), deals_(config), make_wafer_(std::move(make_wafer)) {
  if (config.runconfig.eval_frequency > 0 || config.runconfig.mode == "train_and_eval") {
    eval_.emplace(load_eval_data(config));
  }
  start_memory(std::move(store));
  start_swarm();
}

void Trainer::resume(const CheckpointReader& checkpoint) {
  done_ = checkpoint.step;
  dealt_ = dealt_of(checkpoint);
  data_.set_position(done_, data_position(checkpoint, config_.train_input.batch_size));
}

SwarmStatus Trainer::status() const {
  const std::lock_guard lock(swarm_changes_);
  SwarmStatus status = swarm_ ? swarm_->status() : SwarmStatus{};
  if (parts_ != nullptr) status.memory = parts_->status();
  return status;
}

MicroBatch Trainer::batch(const BatchRequest& request) const {
  return about(config_, request.train ? "train_input.data_dir" : "eval_input.data_dir", [&]() -> MicroBatch {
    if (!request.train) return eval_->batch(request);
    Batch batch = data_.micro_batch(request.step, static_cast<int>(request.micro_batch));
    return {std::move(batch.inputs), std::move(batch.labels)};
  });
}

/// Streams a step, sums its gradients and applies them; announces the previous step meanwhile.
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
  if (!config_.all_wafers(&BackendKind::clock)) return;
  metrics.sim_cycles = result.sim_cycles;
  if (!config_.all_wafers(&BackendKind::lanes)) return;
  const double slots = static_cast<double>(config_.wafer.lanes) * config_.wafer.rows * config_.wafer.cols *
                       config_.runconfig.num_csx * static_cast<double>(result.sim_cycles);
  metrics.fpu_utilization = static_cast<double>(result.fma_lanes) / slots;
}

/// Throws Diverged if the loss has jumped above its moving average, which decays by a tenth per step.
void Trainer::look_at(std::uint64_t step, double loss) {
  const double most = config_.runconfig.max_loss_jump;
  if (most == 0) return;
  if (average_ && loss > *average_ + most) {
    throw Diverged(
        fmt::format("step {}: the loss has jumped to {:.5f} from {:.5f}, the average of those before. HINT: lower "
                    "optimizer.learning_rate, or set runconfig.on_divergence skip or rollback, and continue with "
                    "--allow_other_bits.",
                    step, loss, *average_));
  }
  average_ = average_ ? 0.9 * *average_ + 0.1 * loss : loss;
}

void Trainer::advance(const Report& report) {
  if (growing_ || deals_.due(begun())) settle(report);
  clock_->take();  // time before this point belongs to no step
  StepMetrics metrics;
  metrics.step = begun() + 1;
  try {
    if (growing_) {
      replan(with_mask(*plan_, plan_->mask));
      start_swarm();
    }
    deal();
    if (dealt_ == begun()) metrics.kept = count_kept(plan_->tensors, plan_->mask);
    train(metrics, report);
    skipped_ = 0;
  } catch (const Diverged& why) {
    announce(report);  // the previous step's weights may have diverged
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

/// Adds the time since the previous call.
void Trainer::time(StepMetrics& metrics) {
  metrics.times = metrics.times + clock_->take();
  metrics.seconds = metrics.times.sum();
}

/// Waits until the previous step is settled and reports it, unless that was done already.
void Trainer::announce(const Report& report) {
  if (!pending_) return;
  StepMetrics metrics = *pending_;
  const Settled settled = settled_now();
  if (settled.diverged) {
    diverged_ = true;
    throw Diverged(
        fmt::format("step {}: {}. HINT: lower optimizer.learning_rate, or clip with "
                    "optimizer.max_gradient_norm, and continue with --allow_other_bits; nothing of this step is saved.",
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
