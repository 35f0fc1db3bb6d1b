#include "host/inspect/bisect/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "host/backends/backend.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/train/checkpoint_metadata.hpp"
#include "host/train/masks.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::inspect::bisect {
namespace {

config::Config training_only(config::Config config) {
  config.runconfig.mode = "train";
  config.runconfig.eval_frequency = 0;
  return config;
}

train::ResumePoint given(const config::Config& config) {
  train::ResumePoint start;
  if (config.runconfig.checkpoint_path.empty()) return start;
  start.file = config.runconfig.checkpoint_path;
  start.checkpoint = train::load_checkpoint_path(config, compiler::model_tensors(config.model));
  return start;
}

std::string hex(std::span<const float> numbers) {
  std::string text;
  for (const float x : numbers) fmt::format_to(std::back_inserter(text), "{:08x}", std::bit_cast<std::uint32_t>(x));
  return text;
}

}  // namespace

Recorder::Recorder(const config::Config& config, swarmx::MakeWafer wafers)
    : config_(training_only(config)),
      start_(given(config_)),
      plan_(planning::compile_plan(config_, train::initial_mask(config_, start_))),
      wafers_(std::move(wafers)) {
  if (!wafers_) wafers_ = [this](int id) { return backends::make_wafer(config_, id); };
}

Recorder::Recorder(const config::Config& config, compiler::Plan plan, swarmx::MakeWafer wafers)
    : Recorder(config, std::move(wafers)) {
  plan_ = std::move(plan);
}

std::unique_ptr<train::Trainer> Recorder::trainer() {
  auto trainer = std::make_unique<train::Trainer>(config_, plan_, wafers_);
  if (start_.checkpoint) {
    train::restore(*start_.checkpoint, plan_, trainer->memoryx());
    trainer->resume(*start_.checkpoint);
    note_ = train::note_continuation(config_, start_, plan_, trainer->data());
  }
  return trainer;
}

void Recorder::begin_progress(std::uint64_t steps) const {
  if (progress_ != nullptr) progress_->begin("steps", steps);
}

metrics::StepMetrics Recorder::step(train::Trainer& run) const {
  const metrics::StepMetrics metrics = run.step();
  if (progress_ != nullptr) progress_->add();
  return metrics;
}

std::unique_ptr<train::Trainer> Recorder::trained(std::uint64_t done) {
  if (done < start_.step())
    throw Refusal("--step", fmt::format("{} is before the first step of this run", done + 1),
                  fmt::format("name an earlier checkpoint, or a step from {} on", start_.step() + 1));
  auto run = trainer();
  begin_progress(done - start_.step());
  while (run->history().done() < done) step(*run);
  return run;
}

Steps Recorder::steps() {
  auto run = trainer();
  Steps fingerprint{
      .first = run->history().done(), .hashes = {fmt::format("{:016x}", run->memoryx().hash())}, .stopped = ""};
  const auto all = static_cast<std::uint64_t>(config_.runconfig.steps());
  begin_progress(all - std::min(all, fingerprint.first));
  try {
    while (run->history().done() < all) fingerprint.hashes.push_back(fmt::format("{:016x}", step(*run).state_hash));
  } catch (const Refusal&) {
    throw;
  } catch (const std::exception& e) {  // a side that cannot continue differs from one that can
    fingerprint.stopped = e.what();
  }
  return fingerprint;
}

State Recorder::state(std::uint64_t step) {
  auto run = trained(step);
  memoryx::ParameterStore& store = run->memoryx().store();
  State fingerprint;
  for (const compiler::TensorInfo& t : plan_.tensors) {
    const auto part = [&](std::span<const float> all) {  // moments that the optimizer does not keep are empty
      return hex(all.empty() ? all : all.subspan(t.offset, t.size));
    };
    fingerprint.tensors.push_back(
        {t.name, t.dims, part(store.weights()), part(store.first_moments()), part(store.second_moments())});
  }
  return fingerprint;
}

std::vector<machine::Message> Recorder::tokens(const train::Trainer& trainer, std::uint64_t step,
                                               std::uint64_t micro_batch) const {
  if (micro_batch >= static_cast<std::uint64_t>(trainer.data().micro_batches()))
    throw Refusal("--wafer", fmt::format("micro-batch {} does not exist", micro_batch),
                  fmt::format("a step has {}", trainer.data().micro_batches()));
  const data::Batch batch = trainer.data().micro_batch(step - 1, static_cast<int>(micro_batch));
  const compiler::DropoutSamples samples = trainer.plan().samples(step - 1, micro_batch);
  return trainer.plan().tokens(batch.inputs, batch.labels, batch.class_weight, &samples);
}

}  // namespace weft::inspect::bisect
