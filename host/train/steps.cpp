#include "host/train/steps.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "host/appliance/interrupt.hpp"
#include "host/checkpoint/reader.hpp"
#include "host/config/counted.hpp"
#include "host/swarmx/error.hpp"

namespace weft {
namespace {

/// Lines, on disk, in a folder that is still this run's, and the state on its way there.
void begin_save(const Run& run) {
  run.saver.look(run.trainer, run.metrics);
  run.metrics.sync();
  run.summaries.sync();
  run.saver.begin_save(run.trainer, run.metrics);
}

/// Begins a checkpoint by time. A failure becomes a note, and the run continues.
void begin_autosave(const Run& run) {
  run.saver.look(run.trainer, run.metrics);
  try {
    run.metrics.sync();
    run.summaries.sync();
  } catch (const Refusal&) {  // the checkpoint at the end finds the same, or room
  }
  run.saver.begin_autosave(run.trainer, run.metrics);
}

/// The line of a settled step, and what TensorBoard and Prometheus are told of it.
void record(const Run& run, const StepMetrics& metrics) {
  if (!run.metrics.add(metrics)) {
    run.saver.look(run.trainer, run.metrics);  // it may be the folder that is gone
    run.metrics.write_again();
  }
  run.summaries.add(metrics, run.folder.path());
  run.prometheus.add(metrics);
  run.folder.keep();  // now there is a run
  run.report.step(metrics);
  run.status.step(metrics);
}

/// Of a step whose line is recorded. The folder is looked at first: what is pruned in it is the run's own.
void trained_on(const Run& run, const StepMetrics& metrics) {
  run.saver.look(run.trainer, run.metrics);
  if (!metrics.skipped) run.saver.trained_on(run.trainer, run.metrics);
}

/// What a settled step asks for, with nothing under way: evaluates, records, and saves if it is due.
void look_after(const Run& run, StepMetrics& metrics) {
  try {
    run.trainer.evaluate(metrics);
  } catch (...) {
    record(run, metrics);
    throw;
  }
  record(run, metrics);
  trained_on(run, metrics);
  if (metrics.eval_loss) run.saver.keep_best(run.trainer, run.metrics, *metrics.eval_loss);
  if (run.saver.due(metrics.step)) {
    begin_save(run);
  } else if (run.saver.overdue()) {
    begin_autosave(run);
  }
}

void settle(const Run& run) {
  run.trainer.settle([&](StepMetrics& metrics) { look_after(run, metrics); });
}

/// Trains a step. The one before is recorded meanwhile, unless there was more to do with it.
void step(const Run& run) {
  if (run.trainer.begun() == run.trainer.done()) run.saver.look(run.trainer, run.metrics);
  run.trainer.advance([&](const StepMetrics& metrics) {
    record(run, metrics);
    trained_on(run, metrics);
  });
  const std::uint64_t begun = run.trainer.begun();
  if (run.saver.due(begun) || run.trainer.evaluates(begun) || run.saver.overdue()) settle(run);
}

void say_note(const Run& run, std::ostream& out) {
  if (const std::string note = run.saver.note(); !note.empty())
    out << "note    the checkpoint by time is not saved: " << note << '\n' << std::flush;
}

/// With runconfig.on_divergence rollback: the step that diverged, and those since the last checkpoint that was due,
/// have changed nothing; false: there is no going back. A checkpoint that an interrupt has left is none to go back to,
/// so that a run comes to the same weights wherever it was interrupted.
bool roll_back(const Run& run, std::ostream& out, const std::string& why) {
  if (run.config.runconfig.on_divergence != "rollback") return false;
  run.saver.finish(run.trainer, run.metrics, true);
  const auto every = static_cast<std::uint64_t>(run.config.runconfig.checkpoint_steps);
  const std::uint64_t step = run.trainer.done() / every * every;
  const std::string file = run.folder.checkpoint_file(step);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return false;
  const auto checkpoint = open_checkpoint(file, run.plan.tensors);
  const auto metrics = run.trainer.roll_back(*checkpoint);
  if (!metrics) return false;
  const auto average = checkpoint->about.find(kAverageLoss);
  run.trainer.resume_average(average == checkpoint->about.end() ? std::nullopt
                                                                : std::optional(std::stod(average->second)));
  out << fmt::format("back to step {}, and on after step {}: {}\n", step, metrics->step, why);
  record(run, *metrics);
  if (run.saver.due(metrics->step)) begin_save(run);
  return true;
}

/// Works; what diverges in it is gone back from, if that is wanted.
template <class Work>
void or_roll_back(const Run& run, std::ostream& out, const Work& work) {
  std::string why;
  try {
    return work();
  } catch (const Diverged& diverged) {
    if (run.config.runconfig.on_divergence != "rollback") throw;
    why = diverged.what();
    if (roll_back(run, out, why)) return;
    throw;
  }
}

/// After a failure: what was trained since `first` is kept, if it is whole and of numbers.
void save_what_there_is(const Run& run, std::uint64_t first, std::ostream& out) {
  try {
    run.saver.finish(run.trainer, run.metrics, true);
    if (!run.trainer.can_be_saved()) {
      out << (run.saver.last().empty() ? "\nnothing is saved\n"
                                       : fmt::format("\nthe last checkpoint is {}\n", run.saver.last()));
      return;
    }
    if (run.trainer.done() == first) return;
    run.saver.save(run.trainer, run.metrics);
    out << fmt::format("\nsaved the state after step {}: {}\n", run.trainer.done(), run.saver.last());
  } catch (const std::exception& second) {  // the first failure is the one to report, on the line of its own
    out << fmt::format("\nthe state after step {} cannot be saved: {}\n", run.trainer.done(), second.what());
    if (!run.saver.last().empty()) out << fmt::format("the last checkpoint is {}\n", run.saver.last());
  }
}

int end(const Run& run, std::uint64_t first, std::uint64_t total, std::ostream& out) {
  const std::uint64_t done = run.trainer.done();
  if (done == first) {
    out << kNothingDone;
    return kInterruptedExit;
  }
  begin_save(run);
  run.saver.finish(run.trainer, run.metrics, true);
  run.saver.drop_autosaves();
  run.saver.prune();
  if (done < total) {
    out << fmt::format("\ninterrupted after step {}: the same command goes on from {}\n", done, run.saver.last());
    return kInterruptedExit;
  }
  if (run.trainer.evaluation_cut()) {
    out << fmt::format("\ninterrupted in the evaluation after the last step: --mode eval does it on {}\n",
                       run.saver.last());
    return kInterruptedExit;
  }
  run.report.summary();
  out << run.memory() << '\n';
  if (const int skipped = run.trainer.skipped_last(); skipped > 0) {
    throw Diverged(
        fmt::format("the last {} diverged and changed nothing. HINT: lower optimizer.learning_rate and start "
                    "from an earlier checkpoint, with --checkpoint_path in another runconfig.model_dir.",
                    counted(skipped, "step")));
  }
  out << fmt::format("checkpoint {}\n", run.saver.last());
  return 0;
}

}  // namespace

int run_steps(const Run& run, std::uint64_t total, std::ostream& out) {
  const std::uint64_t first = run.trainer.done();
  try {
    while (run.trainer.begun() < total && !interrupted()) {
      or_roll_back(run, out, [&] { step(run); });
      say_note(run, out);
    }
    or_roll_back(run, out, [&] { settle(run); });
  } catch (const WaitEnded&) {
    save_what_there_is(run, first, out);
    if (run.trainer.done() == first) out << kNothingDone;
    return kInterruptedExit;
  } catch (...) {
    try {
      save_what_there_is(run, first, out);
    } catch (...) {  // no memory to say so
    }
    throw;
  }
  return end(run, first, total, out);
}

}  // namespace weft
