#include "host/appliance/train/train.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "host/appliance/compile_plan.hpp"
#include "host/appliance/config/show.hpp"
#include "host/appliance/counted.hpp"
#include "host/appliance/data/load_data.hpp"
#include "host/appliance/data/vocabulary.hpp"
#include "host/appliance/report.hpp"
#include "host/appliance/train/interrupt.hpp"
#include "host/appliance/train/start.hpp"
#include "host/appliance/train/trainer.hpp"
#include "sw/compiler/tensors.hpp"

namespace weft {
namespace {

/// Writes checkpoints of a run when they are due.
class Saver {
 public:
  /// All must outlive this; `saved`: the step whose checkpoint is there.
  Saver(const Config& config, const ModelFolder& folder, const Plan& plan, std::optional<std::uint64_t> saved)
      : config_(config), folder_(folder), plan_(plan), saved_(saved) {}

  bool due(std::uint64_t step) const {
    const int every = config_.runconfig.checkpoint_steps;
    return every > 0 && step % static_cast<std::uint64_t>(every) == 0;
  }

  /// The state as it is, unless it is there already; then deletes the oldest ones.
  void save(Trainer& trainer) {
    const std::uint64_t step = trainer.done();
    if (saved_ == step) return;
    ParameterStore& store = trainer.memoryx().store();
    Metadata about = describe_run(config_, trainer.data(), step);
    about["state_hash"] = fmt::format("{:016x}", trainer.memoryx().hash());
    save_checkpoint(
        folder_.checkpoint_file(step), plan_.tensors,
        {step, store.weights(), store.first_moments(), store.second_moments(), &plan_.mask, std::move(about)});
    saved_ = step;
    const RunConfig& run = config_.runconfig;
    folder_.prune(run.save_initial_checkpoint ? 1 : 0, step, run.keep_checkpoint_max);
  }

  std::string last() const { return saved_ ? folder_.checkpoint_file(*saved_) : ""; }

 private:
  const Config& config_;
  const ModelFolder& folder_;
  const Plan& plan_;
  std::optional<std::uint64_t> saved_;
};

/// A step; if it fails, its start is kept, unless that has diverged or nothing was trained since `first`.
StepMetrics step(Trainer& trainer, Saver& saver, std::uint64_t first) {
  try {
    return trainer.step();
  } catch (const LossNotFinite&) {
    throw;
  } catch (...) {
    try {
      if (trainer.done() > first) saver.save(trainer);
    } catch (const Refusal&) {  // the first failure is the one to report
    }
    throw;
  }
}

int run(const Config& config, const MakeWafer& make_wafer, std::ostream& out) {
  const auto total = static_cast<std::uint64_t>(config.runconfig.steps());
  const std::vector<TensorInfo> tensors = gpt2_tensors(config.model);
  ModelFolder folder(config.runconfig.model_dir, checkpoint_bytes(tensors));
  Start start = find_start(config, folder, tensors);
  for (const std::string& line : start.lines) out << line << '\n';
  if (start.step() >= total) {
    out << fmt::format("done    {}, of {} asked for; a larger --num_steps goes on, another --model_dir starts afresh\n",
                       counted(start.step(), "step"), total);
    return 0;
  }
  const Plan plan = compile_plan(config, start_mask(config, start));
  const auto tokenizer = load_tokenizer(config);
  if (const auto note = note_new_vocabulary(config, tokenizer, start.file)) out << *note << '\n';
  Trainer trainer(config, plan, make_wafer);
  Saver saver(config, folder, plan, start.resumed ? std::optional(start.step()) : std::nullopt);
  if (start.checkpoint) {
    if (const auto note = note_changes(config, trainer.data(), *start.checkpoint)) out << *note << '\n';
    restore(*start.checkpoint, plan, trainer.memoryx());
    trainer.resume(start.step());
    start.checkpoint.reset();
  }
  const std::string initial = std::filesystem::path(folder.checkpoint_file(trainer.done())).filename();
  for (const auto& name : {"train", "train/params.yaml", "vocab.json", "metrics.jsonl", initial.c_str()}) {
    folder.will_make(name);
  }
  save_config(config, "train");
  save_vocabulary(config.runconfig.model_dir, tokenizer);
  if (config.runconfig.save_initial_checkpoint) saver.save(trainer);
  MetricsFile file(config.runconfig.model_dir, start.resumed ? trainer.done() : 0);

  catch_interrupts();  // until here there was nothing to save
  Report report(config, out);
  report.header(plan.parameters, count_kept(plan.tensors, plan.mask), trainer.data().samples());
  out.flush();  // the first step may take long
  const std::uint64_t first = trainer.done();
  while (trainer.done() < total && !interrupted()) {
    const StepMetrics metrics = step(trainer, saver, first);
    folder.keep();  // now there is a run
    file.add(metrics);
    report.step(metrics);
    if (saver.due(metrics.step)) {
      file.sync();
      saver.save(trainer);
    }
  }
  if (trainer.done() == first) {
    out << "\ninterrupted before a step was done: nothing has changed\n";
    return kInterruptedExit;
  }
  file.sync();
  saver.save(trainer);
  if (trainer.done() < total) {
    out << fmt::format("\ninterrupted after step {}: the same command goes on from {}\n", trainer.done(), saver.last());
    return kInterruptedExit;
  }
  if (trainer.evaluation_cut()) {
    out << fmt::format("\ninterrupted in the evaluation after the last step: --mode eval does it on {}\n",
                       saver.last());
    return kInterruptedExit;
  }
  report.summary();
  out << fmt::format("checkpoint {}\n", saver.last());
  return 0;
}

}  // namespace

int train(const Config& config, const MakeWafer& make_wafer, std::ostream& out) {
  try {
    return run(config, make_wafer, out);
  } catch (const Refusal& e) {
    throw config.error("runconfig.model_dir", e);
  }
}

}  // namespace weft
