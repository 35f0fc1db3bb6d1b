#include "host/train/train.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "host/config/error_context.hpp"
#include "host/config/keys/key_names.hpp"
#include "host/config/plural.hpp"
#include "host/data/load_data.hpp"
#include "host/memoryx/pages/scratch_file.hpp"
#include "host/metrics/events/summaries.hpp"
#include "host/metrics/report.hpp"
#include "host/metrics/status/status_writer.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/ranks/joining.hpp"
#include "host/ranks/log_line.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/system/progress.hpp"
#include "host/system/signals.hpp"
#include "host/tokenizer/config_tokenizer.hpp"
#include "host/train/autosaves.hpp"
#include "host/train/checkpoint_metadata.hpp"
#include "host/train/generated_text.hpp"
#include "host/train/memory_report.hpp"
#include "host/train/resume.hpp"
#include "host/train/run_id.hpp"
#include "host/train/saver.hpp"
#include "host/train/steps.hpp"
#include "host/train/trainer.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::train {
namespace {

void say(const std::optional<std::string>& note, std::ostream& out) {
  if (note && !note->empty()) out << *note << '\n';
}

/// Completes the metrics of a finished run whose last line or events could not be written for lack of room: the line is
/// in the checkpoint.
void complete_metrics(const config::Config& config, const ResumePoint& start) {
  if (!start.resumed || !start.checkpoint->about.contains("run")) return;
  const std::string& run = start.checkpoint->about.at("run");
  const metrics::MetricsBefore before = metrics_before(config, start);
  const std::string& folder = config.runconfig.model_dir;
  if (start.checkpoint->about.contains("metrics")) metrics::MetricsFile(folder, run, before).sync();
  const metrics::SessionStart end{.run = run, .done = start.step(), .last = metrics::last_metrics(folder, run, before)};
  metrics::Summaries(config, end).complete(folder);
}

metrics::StatusSources status_sources(const ranks::Joining* joining, const Trainer& trainer) {
  const bool processes = joining != nullptr, data = processes && joining->data;
  metrics::StatusSources sources{
      .ranks = [&trainer, processes, data] { return metrics::ranks_of(trainer.cluster().status(), processes, data); },
      .part = [&trainer] { return trainer.current_part(); },
      .say = [](const std::string&) {}};
  if (processes) sources.say = [](const std::string& line) { std::cerr << ranks::log_line(line) << std::flush; };
  return sources;
}

/// Returns the exit code that `work` returns, and writes the outcome to the run's status.
template <class Work>
int with_outcome(metrics::StatusWriter& status, const Work& work) {
  try {
    const int code = work();
    status.end(code == 0 ? "done" : "interrupted");
    return code;
  } catch (const swarmx::MemoryLeaves&) {
    status.end("interrupted");
    throw;
  } catch (const std::exception& failure) {
    status.end(fmt::format("failed: {}", failure.what()));
    throw;
  }
}

/// Messages about these differences.
std::string note_settings(const SettingChanges& changes, const ResumePoint& start, const data::TrainingData& data,
                          std::uint64_t position, const RunId& run) {
  if (changes.changed.empty()) return note_unknown(changes, start.file).value_or("");
  const std::string note = note_changes(changes, data, position);
  if (!start.resumed) return note;
  return fmt::format("{}\nnote    another run, {}, continues run {} here (--allow_other_bits)", note, run.id,
                     printable(run.earlier.substr(0, run.earlier.find(','))));
}

/// Initialises the run's state. Returns false if the run was interrupted while it waited for MemoryX ranks.
bool begin(const ranks::Joining* joining, const ResumePoint& start, Trainer& trainer, std::ostream& out) {
  if (joining != nullptr && joining->memory > 0)
    system::catch_interrupts(  // passed on to MemoryX ranks
        "interrupted: the run ends before its first step; a second interrupt ends the run at once\n");
  try {
    if (!start.checkpoint) {
      trainer.memory().start();
      return true;
    }
    restore(*start.checkpoint, trainer.memory());
  } catch (const swarmx::WaitEnded&) {
    out << kNothingDone;
    return false;
  }
  trainer.resume(*start.checkpoint);
  trainer.set_average_loss(average_loss_in(*start.checkpoint));
  return true;
}

/// Throws MemoryLeaves if the run was interrupted because a MemoryX rank leaves: that rank is now missing, and the
/// others wait for the next root. After a signal to the root all ranks end instead.
void check_left(const Trainer& trainer) {
  const std::string who = trainer.cluster().leaving_memory_rank();
  if (who.empty() || system::was_signalled()) return;
  throw swarmx::MemoryLeaves(
      fmt::format("swarmx MemoryX: {} was asked to end, so the run ends. HINT: the same command continues; "
                  "the other ranks wait for the root.",
                  who));
}

/// The text of the first sequence of `tokens`.
std::string text_of(std::vector<TokenId> tokens, int seq, const std::optional<tokenizer::Tokenizer>& tokenizer) {
  tokens.resize(std::min(tokens.size(), static_cast<std::size_t>(seq)));
  const auto known = [&](TokenId token) { return token < static_cast<TokenId>(tokenizer->size()); };
  if (tokenizer && std::ranges::all_of(tokens, known)) return tokenizer->decode(tokens);
  return fmt::format("{}", fmt::join(tokens, " "));
}

/// The start of a session, for TensorBoard: the first sequences of its first step and of its evaluation, as text, or as
/// numbers if there is no tokenizer. `run`: the run's identity; `last`: the metrics of the previous step. Throws
/// Refusal if data cannot be read.
metrics::SessionStart session_start(const config::Config& config, const Trainer& trainer,
                                    const std::optional<tokenizer::Tokenizer>& tokenizer, std::string run,
                                    const std::optional<metrics::StepMetrics>& last) {
  metrics::SessionStart start{.run = std::move(run), .done = trainer.history().done(), .last = last};
  if (config.runconfig.save_summary_steps == 0) return start;
  const int seq = config.model.seq;
  start.sample = config::about(config, "train_input.data_dir", [&] {
    return text_of(trainer.data().micro_batch(trainer.history().done(), 0).inputs, seq, tokenizer);
  });
  if (const Evaluation* evaluation = trainer.evaluation()) {
    start.eval_sample = config::about(config, "eval_input.data_dir", [&] {
      return text_of(evaluation->data().micro_batch(0).inputs, seq, tokenizer);
    });
  }
  return start;
}

int run(const config::Config& config, const swarmx::MakeWafer& make_wafer, std::ostream& out,
        const ranks::RunContext& context, const TrainOptions& options) {
  const ranks::Joining* const joining = context.joining.get();
  const auto total = static_cast<std::uint64_t>(config.runconfig.steps());
  const std::vector<compiler::TensorInfo> tensors = compiler::model_tensors(config.model);
  checkpoint::ModelFolder folder(config.runconfig.model_dir, checkpoint::checkpoint_bytes(tensors),
                                 [&out](const std::string& line) { out << "note    " << line << '\n'
                                                                       << std::flush; });
  system::Progress* const progress = context.progress.get();
  ResumePoint start =
      system::timed(progress, "reading the checkpoint", [&] { return find_resume_point(config, folder, tensors); });
  for (const std::string& line : start.lines) out << line << '\n';
  if (start.step() >= total) {
    complete_metrics(config, start);
    std::set<std::uint64_t> autosaves = find_autosaves(folder);  // left by a run that was killed at its end
    drop_autosaves(folder, autosaves, start.step());
    out << fmt::format(
        "done    {}, of {} asked for; a larger --num_steps continues, another --model_dir starts a new run\n",
        config::plural(start.step(), "step"), total);
    if (joining != nullptr) ranks::reject_ranks(config, *joining);
    return 0;
  }
  const compiler::Plan plan = planning::compile_plan(config, initial_mask(config, start), context.plan.get());
  const auto tokenizer = system::timed(progress, "reading the data", [&] { return data::load_tokenizer(config); });
  check_vocabulary(config, tokenizer, start);
  check_optimizer_of(config, start);
  data::TrainingData data =
      system::timed(progress, "reading the data", [&] { return data::load_training_data(config); });
  checkpoint::Metadata settings = run_settings(config, plan, data);
  const SettingChanges changes = changes_since(config, start, settings);
  check_settings(changes, start, context.allow_other_bits);
  say(check_folder(config, start), out);
  say(note_pruned(start, plan), out);
  if (!names_vocabulary(start)) say(tokenizer::note_new_vocabulary(config, tokenizer, start.file), out);
  const std::uint64_t position = start.checkpoint ? data_position(*start.checkpoint, config.train_input.batch_size) : 0;
  const RunId run_id = make_run_id(settings, changes, start, position);
  say(note_settings(changes, start, data, position, run_id), out);
  Trainer trainer(
      config, plan,
      {.make_wafer = make_wafer, .data = std::move(data), .store = make_store(config, plan), .context = context});
  folder.check_room();  // a tier's file may have taken the room
  Saver saver(config, folder, plan, tokenizer, run_id, std::move(settings),
              start.resumed ? std::optional(start.step()) : std::nullopt, options.autosave);
  for (const auto& name : {"train", "train/params.yaml", "vocab.json", "metrics.jsonl", metrics::kStatusFile}) {
    folder.will_make(name);
  }
  folder.will_make(std::filesystem::path(folder.checkpoint_file(start.step())).filename());
  metrics::StatusWriter status(folder.path(), run_id.id, start.step(), total, status_sources(joining, trainer));
  return with_outcome(status, [&] {
    if (!begin(joining, start, trainer, out)) return system::kInterruptedExit;
    metrics::MetricsFile file(config.runconfig.model_dir, run_id.id, metrics_before(config, start));
    say(file.note(), out);
    start.checkpoint.reset();
    metrics::Summaries summaries(config, session_start(config, trainer, tokenizer, run_id.id, file.last()));
    GeneratedText generated(config, trainer, tokenizer);
    metrics::PrometheusFile prometheus(config, run_id.id, trainer.history().done());
    if (!config.metrics_prometheus.empty()) folder.will_make(std::filesystem::absolute(config.metrics_prometheus));
    prometheus.begin();
    saver.save_settings(file.first());
    if (config.runconfig.save_initial_checkpoint) saver.save(trainer, file);

    system::catch_interrupts();  // before this point there was nothing to save
    if (const auto tiers = flash_tier_report(config, plan, trainer.cluster().pages())) out << *tiers << '\n';
    metrics::Report report(config, out, context.progress.get());
    report.header(plan.parameters, compiler::count_kept(plan.tensors, plan.mask), trainer.data().samples());
    out.flush();  // the first step may take long
    const auto memory = [&] { return memory_report(config, plan, joining == nullptr, trainer.cluster().pages()); };
    const int code = run_steps(
        {config, plan, trainer, saver, file, summaries, generated, prometheus, report, folder, status, memory}, total,
        out);
    if (code == system::kInterruptedExit) check_left(trainer);
    return code;
  });
}

}  // namespace

int train(const config::Config& config, const swarmx::MakeWafer& make_wafer, std::ostream& out,
          const ranks::RunContext& context, const TrainOptions& options) {
  try {
    return run(config, make_wafer, out, context, options);
  } catch (const Refusal& e) {
    if (const Refusal of_key = config::placed(config, e); !of_key.place().empty()) throw of_key;
    if (context.joining && e.subject().starts_with(context.joining->address + ":"))
      throw e.within("MASTER_ADDR and MASTER_PORT");
    const bool of_tier =
        !config.memoryx_flash_dir.empty() && e.subject() == memoryx::scratch_name(config.memoryx_flash_dir);
    throw config.error(of_tier ? "memoryx.flash_dir" : "runconfig.model_dir", e);
  }
}

}  // namespace weft::train
