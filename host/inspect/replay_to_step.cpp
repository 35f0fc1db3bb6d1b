#include "host/inspect/replay_to_step.hpp"

#include <fmt/format.h>

#include <ostream>

#include "host/backends/backend.hpp"
#include "host/checkpoint/model_folder.hpp"
#include "host/checkpoint/unusable.hpp"
#include "host/config/plural.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/train/checkpoint_metadata.hpp"
#include "host/train/masks.hpp"
#include "host/train/resume.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::inspect {
namespace {

/// Configuration with a single model wafer, the fastest way to the same bits.
config::Config on_the_model(config::Config config) {
  config.backend = "model";
  config.runconfig.num_csx = 1;
  config.runconfig.mode = "train";
  config.runconfig.eval_frequency = 0;
  return config;
}

train::ResumePoint newest_before(const config::Config& config, std::uint64_t step) {
  const std::vector<compiler::TensorInfo> tensors = compiler::model_tensors(config.model);
  train::ResumePoint start;
  const auto take = [&](std::shared_ptr<const checkpoint::CheckpointReader> checkpoint, const std::string& file) {
    start.checkpoint = std::move(checkpoint);
    start.file = file;
    return start;
  };
  if (!config.runconfig.checkpoint_path.empty()) {
    take(train::load_checkpoint_path(config, tensors), config.runconfig.checkpoint_path);
    if (start.step() < step) return start;
    throw Refusal("--step", fmt::format("{} is already after {}", start.file, config::plural(start.step(), "step")),
                  fmt::format("name an earlier checkpoint, or a step from {} on", start.step() + 1));
  }
  for (const checkpoint::CheckpointFile& entry : checkpoint::ModelFolder::checkpoints_in(config.runconfig.model_dir)) {
    if (entry.step >= step) continue;
    try {
      return take(train::load_of_model(config, entry.file, tensors), entry.file);
    } catch (const DamagedFile& e) {
      start.lines.push_back(fmt::format("skipped {}", e.what()));
    }
  }
  return start;
}

std::uint64_t checked(std::uint64_t step) {
  if (step == 0) throw Refusal("--step", "0 is not a step", "the first step is 1");
  return step;
}

}  // namespace

ReplayToStep::ReplayToStep(const config::Config& config, std::uint64_t step, std::ostream& out,
                           system::Progress* progress)
    : config_(on_the_model(config)),
      step_(checked(step)),
      start_(newest_before(config_, step)),
      plan_(planning::compile_plan(config_, train::initial_mask(config_, start_))),
      trainer_(std::make_unique<train::Trainer>(config_, plan_,
                                                [this](int id) { return backends::make_wafer(config_, id); })) {
  for (const std::string& line : start_.lines) out << line << '\n';
  if (start_.checkpoint) {
    out << fmt::format("start   {}: {} done\n", start_.file, config::plural(start_.step(), "step"));
    train::restore(*start_.checkpoint, plan_, trainer_->memoryx());
    trainer_->resume(*start_.checkpoint);
    if (const auto note = train::note_continuation(config_, start_, plan_, trainer_->data())) out << *note << '\n';
    start_.checkpoint.reset();
  } else {
    out << fmt::format("start   seed {}\n", config_.runconfig.seed);
  }
  const std::uint64_t from = trainer_->history().done();
  if (progress != nullptr) progress->begin("model", step_ - 1 - from);
  while (trainer_->history().done() + 1 < step_) {
    const metrics::StepMetrics metrics = trainer_->step();
    if (progress != nullptr) progress->show(metrics.step - from);
    if (metrics.step == from + 1 || metrics.step + 1 == step_ || metrics.step % 10 == 0) {
      if (progress != nullptr) progress->clear();
      out << fmt::format("model   step {} of {}: loss {:.5f}, state {:016x}\n", metrics.step, step_ - 1, metrics.loss,
                         metrics.state_hash)
          << std::flush;
    }
  }
  if (progress != nullptr) progress->clear();
  trainer_->update_masks();
}

std::span<const float> ReplayToStep::parameters() { return trainer_->memoryx().store().weights(); }

std::vector<machine::Message> ReplayToStep::tokens(std::uint64_t m) const {
  const int there = trainer_->data().micro_batches();
  if (m >= static_cast<std::uint64_t>(there)) {
    throw Refusal(
        "--wafer", fmt::format("micro-batch {} does not exist", m),
        fmt::format("a step has micro-batches 0 to {}, of which the first ones belong to the wafers of the same number",
                    there - 1));
  }
  const data::Batch batch = trainer_->data().micro_batch(step_ - 1, static_cast<int>(m));
  const compiler::DropoutSamples samples = plan().samples(step_ - 1, m);
  return plan().tokens(batch.inputs, batch.labels, batch.class_weight, &samples);
}

}  // namespace weft::inspect
