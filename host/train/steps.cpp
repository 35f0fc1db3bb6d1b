#include "host/train/steps.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "host/checkpoint/reader.hpp"
#include "host/config/plural.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/system/signals.hpp"
#include "sw/base/quoted_lines.hpp"

namespace weft::train {
namespace {

/// Syncs metrics to disk and begins a checkpoint, in a folder that is checked to be the run's own.
void begin_save(const Run& run) {
  run.saver.check_ownership(run.trainer, run.metrics);
  run.metrics.sync();
  run.summaries.sync();
  run.saver.begin_save(run.trainer, run.metrics);
}

/// Begins an autosave. A failure becomes a note, and the run continues.
void begin_autosave(const Run& run) {
  run.saver.check_ownership(run.trainer, run.metrics);
  try {
    run.metrics.sync();
    run.summaries.sync();
  } catch (const Refusal&) {  // the final checkpoint reports the error if it persists
  }
  run.saver.begin_autosave(run.trainer, run.metrics);
}

/// Writes to TensorBoard's files. The folder is checked before, because other runs' folders get no file, and after a
/// failure, which a lost folder may have caused.
template <typename Write>
void summarize(const Run& run, Write write) {
  run.saver.check_ownership(run.trainer, run.metrics);
  try {
    write();
  } catch (const Refusal&) {
    run.saver.check_ownership(run.trainer, run.metrics);
    throw;
  }
}

/// Records a settled step in metrics.jsonl, TensorBoard and Prometheus.
void record(const Run& run, const metrics::StepMetrics& metrics) {
  if (!run.metrics.add(metrics)) {
    run.saver.check_ownership(run.trainer, run.metrics);  // the cause may be a lost folder
    run.metrics.write_again();
  }
  summarize(run, [&] { run.summaries.add(metrics, run.folder.path()); });
  run.prometheus.add(metrics);
  run.folder.keep();  // from here on the run has results
  run.report.step(metrics);
  run.status.step(metrics);
}

/// Handles a step whose line is recorded. The folder is checked first, since pruning must delete only the run's own
/// files.
void mark_trained_on(const Run& run, const metrics::StepMetrics& metrics) {
  run.saver.check_ownership(run.trainer, run.metrics);
  if (!metrics.skipped) run.saver.mark_trained_on(run.trainer, run.metrics);
}

/// Evaluates and records a settled step, and saves if due; no step is under way.
void finish_step(const Run& run, metrics::StepMetrics& metrics) {
  try {
    run.trainer.evaluate(metrics);
  } catch (...) {
    record(run, metrics);
    throw;
  }
  record(run, metrics);
  if (run.generated.due(metrics, run.saver.checkpoint_due(metrics.step)))
    if (const auto text = run.generated.next())
      summarize(run, [&] { run.summaries.add_generated(*text, metrics, run.folder.path()); });
  mark_trained_on(run, metrics);
  if (metrics.eval_loss) run.saver.keep_best(run.trainer, run.metrics, *metrics.eval_loss);
  if (run.saver.checkpoint_due(metrics.step)) {
    begin_save(run);
  } else if (run.saver.autosave_due()) {
    begin_autosave(run);
  }
}

void settle(const Run& run) {
  run.trainer.settle([&](metrics::StepMetrics& metrics) { finish_step(run, metrics); });
}

/// Trains a step. The previous step is recorded meanwhile, unless settle() has done so already.
void step(const Run& run) {
  if (run.trainer.history().started() == run.trainer.history().done())
    run.saver.check_ownership(run.trainer, run.metrics);
  run.trainer.advance([&](const metrics::StepMetrics& metrics) {
    record(run, metrics);
    mark_trained_on(run, metrics);
  });
  const std::uint64_t begun = run.trainer.history().started();
  if (run.saver.checkpoint_due(begun) || run.trainer.evaluation_due(begun) || run.saver.autosave_due()) settle(run);
}

void print_note(const Run& run, std::ostream& out) {
  if (const std::string note = run.saver.note(); !note.empty())
    out << "note    the periodic checkpoint is not saved: " << note << '\n' << std::flush;
}

/// Implements runconfig.on_divergence rollback: discards the diverged step and all steps since the last scheduled
/// checkpoint. Returns false if rolling back is impossible. A checkpoint caused by an interrupt is not used, so that
/// the resulting weights do not depend on interrupts.
bool roll_back(const Run& run, std::ostream& out, const std::string& why) {
  if (run.config.runconfig.on_divergence != "rollback") return false;
  run.saver.finish_save(run.trainer, run.metrics, true);
  const auto every = static_cast<std::uint64_t>(run.config.runconfig.checkpoint_steps);
  const std::uint64_t step = run.trainer.history().done() / every * every;
  const std::string file = run.folder.checkpoint_file(step);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return false;
  const auto checkpoint = checkpoint::open_checkpoint(file, run.plan.tensors);
  const auto metrics = run.trainer.roll_back(*checkpoint);
  if (!metrics) return false;
  out << fmt::format("back to step {}, continues after step {}: {}\n", step, metrics->step, why);
  record(run, *metrics);
  if (run.saver.checkpoint_due(metrics->step)) begin_save(run);
  return true;
}

/// Runs `work`; if it diverges, rolls back if so configured.
template <class Work>
void or_else_roll_back(const Run& run, std::ostream& out, const Work& work) {
  std::string why;
  try {
    return work();
  } catch (const memoryx::Diverged& diverged) {
    if (run.config.runconfig.on_divergence != "rollback") throw;
    why = diverged.what();
    if (roll_back(run, out, why)) return;
    throw;
  }
}

int end(const Run& run, std::uint64_t first, std::uint64_t total, std::ostream& out) {
  const std::uint64_t done = run.trainer.history().done();
  if (done == first) {
    out << kNothingDone;
    return system::kInterruptedExit;
  }
  save_at_end(run);
  if (done < total) {
    out << fmt::format("\ninterrupted after step {}: the same command continues from {}\n", done,
                       run.saver.last_checkpoint());
    return system::kInterruptedExit;
  }
  if (run.trainer.history().evaluation_interrupted()) {
    out << fmt::format(
        "\ninterrupted in the evaluation after the last step: --mode eval repeats the evaluation on {}\n",
        run.saver.last_checkpoint());
    return system::kInterruptedExit;
  }
  run.report.summary();
  out << run.memory() << '\n';
  if (const int skipped = run.trainer.history().skipped_in_a_row(); skipped > 0) {
    throw memoryx::Diverged(
        fmt::format("the last {} diverged and changed nothing. HINT: lower optimizer.learning_rate and start "
                    "from an earlier checkpoint, with --checkpoint_path in another runconfig.model_dir.",
                    config::plural(skipped, "step")));
  }
  out << fmt::format("checkpoint {}\n", run.saver.last_checkpoint());
  return 0;
}

}  // namespace

void train_step(const Run& run, std::ostream& out) {
  or_else_roll_back(run, out, [&] { step(run); });
  print_note(run, out);
}

void settle_step(const Run& run, std::ostream& out) {
  or_else_roll_back(run, out, [&] { settle(run); });
}

void save_after_failure(const Run& run, std::uint64_t first, std::ostream& out) {
  try {
    run.saver.finish_save(run.trainer, run.metrics, true);
    if (!run.trainer.can_be_saved()) {
      out << (run.saver.last_checkpoint().empty()
                  ? "\nnothing is saved\n"
                  : fmt::format("\nthe last checkpoint is {}\n", run.saver.last_checkpoint()));
      return;
    }
    if (run.trainer.history().done() == first) return;
    run.saver.save(run.trainer, run.metrics);
    out << fmt::format("\nsaved the state after step {}: {}\n", run.trainer.history().done(),
                       run.saver.last_checkpoint());
  } catch (const std::exception& second) {  // the first failure is reported separately
    out << fmt::format("\nthe state after step {} cannot be saved: {}\n", run.trainer.history().done(),
                       quoted_lines(second.what()));
    if (!run.saver.last_checkpoint().empty())
      out << fmt::format("the last checkpoint is {}\n", run.saver.last_checkpoint());
  }
}

void save_now(const Run& run) {
  begin_save(run);
  run.saver.finish_save(run.trainer, run.metrics, true);
  run.folder.keep();
}

void save_at_end(const Run& run) {
  save_now(run);
  run.saver.drop_autosaves();
  run.saver.prune();
}

int run_steps(const Run& run, std::uint64_t total, std::ostream& out) {
  const std::uint64_t first = run.trainer.history().done();
  try {
    while (run.trainer.history().started() < total && !system::interrupted()) train_step(run, out);
    settle_step(run, out);
  } catch (const swarmx::WaitEnded&) {
    save_after_failure(run, first, out);
    if (run.trainer.history().done() == first) out << kNothingDone;
    return system::kInterruptedExit;
  } catch (...) {
    try {
      save_after_failure(run, first, out);
    } catch (...) {  // no memory to report it
    }
    throw;
  }
  return end(run, first, total, out);
}

}  // namespace weft::train
