#include "host/train/trainer.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "host/config/error_context.hpp"
#include "host/data/load_data.hpp"
#include "host/system/progress.hpp"
#include "host/train/checkpoint_metadata.hpp"
#include "host/train/resume.hpp"
#include "sw/base/invariant.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::train {
namespace {

constexpr double kNoLoss = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Trainer::Trainer(const config::Config& config, const compiler::Plan& plan, swarmx::MakeWafer make_wafer)
    : Trainer(config, plan, TrainerOptions{.make_wafer = std::move(make_wafer)}) {}

Trainer::Trainer(const config::Config& config, const compiler::Plan& plan, TrainerOptions options)
    : config_(config),
      context_(std::move(options.context)),
      data_(options.data ? *std::move(options.data) : data::load_training_data(config)),
      masks_(config) {
  if (config.runconfig.eval_frequency > 0 || config.runconfig.mode == "train_and_eval") {
    eval_.emplace(data::load_eval_data(config));
  }
  cluster_ = std::make_unique<Cluster>(
      config, plan, data_,
      Cluster::Options{.make_wafer = std::move(options.make_wafer),
                       .get_batch = [this](const swarmx::BatchRequest& request) { return batch(request); },
                       .store = std::move(options.store),
                       .context = context_,
                       .clock = clock_});
}

void Trainer::resume(const checkpoint::CheckpointReader& checkpoint) {
  history_.resume(checkpoint.step, last_mask_update_in(checkpoint));
  data_.set_position(checkpoint.step, data_position(checkpoint, config_.train_input.batch_size));
}

bool Trainer::can_be_saved() const {
  return !history_.diverged() && !history_.unsettled_metrics() && cluster_->memory_is_whole();
}

swarmx::MicroBatch Trainer::batch(const swarmx::BatchRequest& request) const {
  return config::about(config_, request.train ? "train_input.data_dir" : "eval_input.data_dir",
                       [&]() -> swarmx::MicroBatch {
                         if (!request.train) return (eval_ ? *eval_ : *asked_).batch(request);
                         data::Batch batch = data_.micro_batch(request.step, static_cast<int>(request.micro_batch));
                         return {std::move(batch.inputs), std::move(batch.labels), batch.class_weight};
                       });
}

/// Streams a step, sums its gradients and applies them; settles the previous step meanwhile.
void Trainer::stream(metrics::StepMetrics& metrics, const Report& report) {
  if (context_.progress)
    context_.progress->begin(fmt::format("step {}", metrics.step),
                             plan().ops.size() * static_cast<std::uint64_t>(config_.micro_batches()));
  const swarmx::StepResult result = cluster_->swarm().step(
      metrics.step - 1, memory(), [&] { settle_previous(report); },
      [&](double loss) { history_.add_loss(metrics.step, loss, config_.runconfig.max_loss_jump); });
  metrics.loss = result.loss;
  metrics.learning_rate = result.applied.learning_rate;
  metrics.tokens = result.tokens;
  metrics.edge_bytes = 4 * result.edge_messages;
  if (context_.joining) {
    metrics.repeated = result.repeated;
    const swarmx::SwarmStatus status = cluster_->status();
    metrics.slow = status.slow_ranks();
    metrics.network_stall = status.stall;
  }
  if (!config_.all_wafers(&config::BackendKind::clock)) return;
  metrics.sim_cycles = result.sim_cycles;
  if (!config_.all_wafers(&config::BackendKind::lanes)) return;
  const double slots = static_cast<double>(config_.wafer.lanes) * config_.wafer.rows * config_.wafer.cols *
                       config_.runconfig.num_csx * static_cast<double>(result.sim_cycles);
  metrics.fpu_utilization = static_cast<double>(result.fma_lanes) / slots;
}

/// Updates the masks if due, and trains a step. A failed mask update may have left a plan with gradients of all
/// weights, which is replaced first.
void Trainer::train_step(metrics::StepMetrics& metrics, const Report& report) {
  if (cluster_->has_dense_gradients()) {
    cluster_->replace_plan(compiler::with_mask(plan(), plan().mask));
    cluster_->start_swarm();
  }
  update_masks();
  if (history_.last_mask_update() == history_.started())
    metrics.kept = compiler::count_kept(plan().tensors, plan().mask);
  stream(metrics, report);
  history_.end_skips();
}

/// Continues without a diverged step. The wafers are restarted, because those of a failed step cannot be reused.
void Trainer::skip_step(metrics::StepMetrics& metrics, const memoryx::Diverged& why) {
  history_.count_skip(why);
  cluster_->start_swarm();
  history_.end_divergence();
  metrics.skipped = true;
  metrics.loss = metrics.grad_norm = kNoLoss;
  metrics.learning_rate = memory().learning_rate(metrics.step - 1);
}

void Trainer::advance(const Report& report) {
  if (cluster_->has_dense_gradients() || masks_.is_due(history_.started())) settle(report);
  clock_->take();  // time before this point belongs to no step
  metrics::StepMetrics metrics;
  metrics.step = history_.started() + 1;
  try {
    train_step(metrics, report);
  } catch (const memoryx::Diverged& why) {
    settle_previous(report);  // its weights may have diverged
    history_.mark_diverged();
    if (config_.runconfig.on_divergence != "skip") throw;
    skip_step(metrics, why);
  } catch (...) {
    settle_previous(report);
    throw;
  }
  add_time(metrics);
  history_.unsettled_metrics() = metrics;
}

/// Adds the time since the previous call.
void Trainer::add_time(metrics::StepMetrics& metrics) {
  metrics.times = metrics.times + clock_->take();
  metrics.seconds = metrics.times.sum();
}

/// Waits until the previous step is settled and reports it, unless that was done already.
void Trainer::settle_previous(const Report& report) {
  if (!history_.unsettled_metrics()) return;
  metrics::StepMetrics metrics = *history_.unsettled_metrics();
  const memoryx::UpdateResult settled = [this] {
    const swarmx::StepClock::In waits(clock_.get(), swarmx::Part::Update);
    return memory().finish_update();
  }();
  if (settled.diverged) {
    history_.mark_diverged();
    throw memoryx::Diverged(
        fmt::format("step {}: {}. HINT: lower optimizer.learning_rate, or clip with "
                    "optimizer.max_gradient_norm, and continue with --allow_other_bits; nothing of this step is saved.",
                    metrics.step, *settled.diverged));
  }
  if (!metrics.skipped) metrics.grad_norm = settled.gradient_norm;
  metrics.state_hash = settled.hash;
  history_.settle();
  report(metrics);
}

void Trainer::settle(const Report& report) {
  if (!history_.unsettled_metrics()) return;
  {
    const swarmx::StepClock::In waits(clock_.get(), swarmx::Part::Update);
    memory().is_consistent();
  }
  add_time(*history_.unsettled_metrics());
  settle_previous(report);
}

metrics::StepMetrics Trainer::step() {
  metrics::StepMetrics last;
  const Report keep = [&](const metrics::StepMetrics& metrics) { last = metrics; };
  advance(keep);
  settle(keep);
  return last;
}

void Trainer::update_masks() {
  if (!masks_.is_due(history_.started()) || history_.last_mask_update() == history_.started()) return;
  invariant(!history_.unsettled_metrics(), "masks are updated between steps");
  if (masks_.needs_dense_gradients()) {
    cluster_->replace_plan(compiler::with_mask(plan(), plan().mask, compiler::Gradients::OfAll), true);
    cluster_->start_swarm();
    cluster_->swarm().gradient(history_.done(), memoryx());
  }
  cluster_->replace_plan(compiler::with_mask(plan(), masks_.next_masks(plan(), history_.done(), memoryx())));
  history_.set_mask_updated();
  cluster_->start_swarm();
}

std::optional<metrics::StepMetrics> Trainer::roll_back(const checkpoint::CheckpointReader& checkpoint) {
  if (!history_.count_roll_back()) return std::nullopt;
  if (masks_.is_dynamic()) cluster_->replace_plan(compiler::with_mask(plan(), checkpoint.mask));
  restore(checkpoint, memory());
  history_.end_roll_back();
  cluster_->start_swarm();
  history_.set_average_loss(average_loss_in(checkpoint));
  metrics::StepMetrics metrics;
  metrics.step = history_.done();
  metrics.skipped = true;
  metrics.rolled_back_to = checkpoint.step;
  metrics.loss = metrics.grad_norm = kNoLoss;
  metrics.learning_rate = memory().learning_rate(metrics.step - 1);
  metrics.state_hash = memory().hash();
  add_time(metrics);  // includes the time of the failed step
  return metrics;
}

bool Trainer::evaluation_due(std::uint64_t step) const {
  const config::RunConfig& run = config_.runconfig;
  if (run.mode == "train_and_eval" && step == static_cast<std::uint64_t>(run.steps())) return true;
  return run.eval_frequency > 0 && step % static_cast<std::uint64_t>(run.eval_frequency) == 0;
}

void Trainer::evaluate(metrics::StepMetrics& metrics) {
  history_.set_evaluation_interrupted(false);
  if (!evaluation_due(history_.done())) return;
  try {
    if (context_.progress)
      context_.progress->begin(fmt::format("evaluation after step {}", history_.done()),
                               plan().forward_ops * static_cast<std::uint64_t>(eval_->data().micro_batches()));
    const auto result = eval_->run(cluster_->swarm(), history_.done(), memory());
    if (result) metrics.eval_loss = result->loss;
    history_.set_evaluation_interrupted(!result);
  } catch (const memoryx::Diverged&) {
    history_.mark_evaluation_diverged();
    throw;
  }
}

void Trainer::load_evaluation() {
  if (!eval_ && !asked_) asked_.emplace(data::load_eval_data(config_));
}

std::optional<EvalResult> Trainer::evaluate_now() {
  return (eval_ ? *eval_ : *asked_).run(cluster_->swarm(), history_.done(), memory());
}

void Trainer::run(const std::function<void(const metrics::StepMetrics&)>& report) {
  const Report all = [&](metrics::StepMetrics& metrics) {
    evaluate(metrics);
    report(metrics);
  };
  while (history_.started() < static_cast<std::uint64_t>(config_.runconfig.steps())) {
    advance(all);
    if (evaluation_due(history_.started())) settle(all);
  }
  settle(all);
}

}  // namespace weft::train
