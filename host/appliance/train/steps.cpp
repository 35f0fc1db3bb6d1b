#include "host/appliance/train/steps.hpp"

#include <fmt/format.h>

#include <ostream>

#include "host/appliance/counted.hpp"
#include "host/appliance/train/interrupt.hpp"

namespace weft {
namespace {

/// Lines, on disk, in a folder that is still this run's, and the state on its way there.
void begin_save(const Run& run) {
  run.saver.look(run.trainer, run.metrics);
  run.metrics.sync();
  run.saver.begin_save(run.trainer, run.metrics);
}

/// The line of a settled step.
void record(const Run& run, const StepMetrics& metrics) {
  if (!run.metrics.add(metrics)) {
    run.saver.look(run.trainer, run.metrics);  // it may be the folder that is gone
    run.metrics.write_again();
  }
  run.folder.keep();  // now there is a run
  run.report.step(metrics);
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
  if (run.saver.due(metrics.step)) begin_save(run);
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
  if (run.saver.due(begun) || run.trainer.evaluates(begun)) settle(run);
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
  }
}

int end(const Run& run, std::uint64_t first, std::uint64_t total, std::ostream& out) {
  const std::uint64_t done = run.trainer.done();
  if (done == first) {
    out << "\ninterrupted before a step was done: nothing has changed\n";
    return kInterruptedExit;
  }
  begin_save(run);
  run.saver.finish(run.trainer, run.metrics, true);
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
    while (run.trainer.begun() < total && !interrupted()) step(run);
    settle(run);
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
