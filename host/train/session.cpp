#include "host/train/session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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
#include "host/planning/compile_plan.hpp"
#include "host/ranks/joining.hpp"
#include "host/ranks/log_line.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/system/progress.hpp"
#include "host/system/signals.hpp"
#include "host/tokenizer/config_tokenizer.hpp"
#include "host/train/autosaves.hpp"
#include "host/train/checkpoint_metadata.hpp"
#include "host/train/memory_report.hpp"
#include "host/train/resume.hpp"
#include "host/train/run_id.hpp"
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
bool set_state(const ranks::Joining* joining, const ResumePoint& start, Trainer& trainer, std::ostream& out) {
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

/// The text of the first sequence of `tokens`.
std::string text_of(std::vector<TokenId> tokens, int seq, const std::optional<tokenizer::Tokenizer>& tokenizer) {
  tokens.resize(std::min(tokens.size(), static_cast<std::size_t>(seq)));
  for (TokenId& token : tokens) token = token_of(token);
  const auto known = [&](TokenId token) { return token < static_cast<TokenId>(tokenizer->size()); };
  if (tokenizer && std::ranges::all_of(tokens, known)) return tokenizer->decode(tokens);
  return fmt::format("{}", fmt::join(tokens, " "));
}

/// The start of a session, for TensorBoard: the first sequences of its first step and of its evaluation, as text, or as
/// numbers if there is no tokenizer. `run`: the run's identity; `last`: the metrics of the previous step; `given`: the
/// first samples are not known yet. Throws Refusal if data cannot be read.
metrics::SessionStart session_start(const config::Config& config, const Trainer& trainer,
                                    const std::optional<tokenizer::Tokenizer>& tokenizer, std::string run,
                                    const std::optional<metrics::StepMetrics>& last, bool given) {
  metrics::SessionStart start{.run = std::move(run), .done = trainer.history().done(), .last = last};
  if (config.runconfig.save_summary_steps == 0) return start;
  const int seq = config.model.seq;
  if (given) return start;
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

}  // namespace

/// All parts of a run, each after those that it refers to.
class Session::Impl {
 public:
  Impl(const config::Config& config, std::ostream& out, const ranks::RunContext& context, const TrainOptions& options);
  void complete();
  void prepare(const swarmx::MakeWafer& make_wafer);
  bool begin();
  void print_header();

  const ResumePoint& start() const { return start_; }
  const Run& run() const { return *run_; }
  Trainer& trainer() { return *trainer_; }
  metrics::StatusWriter& status() { return *status_; }

 private:
  void open_files();

  const config::Config& config_;
  std::ostream& out_;
  const ranks::RunContext context_;
  const ranks::Joining* const joining_ = context_.joining.get();
  const TrainOptions options_;
  const std::vector<compiler::TensorInfo> tensors_ = compiler::model_tensors(config_.model);
  checkpoint::ModelFolder folder_;
  ResumePoint start_;
  // From prepare() on:
  std::optional<compiler::Plan> plan_;
  std::optional<tokenizer::Tokenizer> tokenizer_;
  RunId id_;
  std::optional<Trainer> trainer_;
  std::optional<Saver> saver_;
  std::optional<metrics::StatusWriter> status_;
  // From begin() on:
  std::optional<metrics::MetricsFile> file_;
  std::optional<metrics::Summaries> summaries_;
  std::optional<GeneratedText> generated_;
  std::optional<metrics::PrometheusFile> prometheus_;
  std::optional<metrics::Report> report_;
  std::optional<Run> run_;
};

Session::Impl::Impl(const config::Config& config, std::ostream& out, const ranks::RunContext& context,
                    const TrainOptions& options)
    : config_(config),
      out_(out),
      context_(context),
      options_(options),
      folder_(config.runconfig.model_dir, checkpoint::checkpoint_bytes(tensors_), [&out](const std::string& line) {
        out << "note    " << line << '\n' << std::flush;
      }) {
  start_ = system::timed(context_.progress.get(), "reading the checkpoint",
                         [&] { return find_resume_point(config_, folder_, tensors_); });
  for (const std::string& line : start_.lines) out_ << line << '\n';
}

void Session::Impl::complete() {
  complete_metrics(config_, start_);
  std::set<std::uint64_t> autosaves = find_autosaves(folder_);  // left by a run that was killed at its end
  drop_autosaves(folder_, autosaves, start_.step());
}

void Session::Impl::prepare(const swarmx::MakeWafer& make_wafer) {
  system::Progress* const progress = context_.progress.get();
  plan_ = planning::compile_plan(config_, initial_mask(config_, start_), context_.plan.get());
  if (!options_.samples)
    tokenizer_ = system::timed(progress, "reading the data", [&] { return data::load_tokenizer(config_); });
  check_vocabulary(config_, tokenizer_, start_);
  check_optimizer_of(config_, start_);
  data::TrainingData data = system::timed(progress, "reading the data", [&] {
    return options_.samples ? data::given_training_data(config_, options_.samples) : data::load_training_data(config_);
  });
  checkpoint::Metadata settings = run_settings(config_, *plan_, data);
  const SettingChanges changes = changes_since(config_, start_, settings);
  check_settings(changes, start_, context_.allow_other_bits);
  say(check_folder(config_, start_), out_);
  say(note_pruned(start_, *plan_), out_);
  if (!names_vocabulary(start_)) say(tokenizer::note_new_vocabulary(config_, tokenizer_, start_.file), out_);
  const std::uint64_t position =
      start_.checkpoint ? data_position(*start_.checkpoint, config_.train_input.batch_size) : 0;
  id_ = make_run_id(settings, changes, start_, position);
  say(note_settings(changes, start_, data, position, id_), out_);
  trainer_.emplace(config_, *plan_,
                   TrainerOptions{.make_wafer = make_wafer,
                                  .data = std::move(data),
                                  .store = make_store(config_, *plan_),
                                  .context = context_});
  folder_.check_room();  // a tier's file may have taken the room
  saver_.emplace(config_, folder_, *plan_, tokenizer_, id_, std::move(settings),
                 start_.resumed ? std::optional(start_.step()) : std::nullopt, options_.autosave);
  for (const auto& name :
       {"train", "train/params.yaml", "train/network.yaml", "vocab.json", "metrics.jsonl", metrics::kStatusFile}) {
    folder_.will_make(name);
  }
  folder_.will_make(std::filesystem::path(folder_.checkpoint_file(start_.step())).filename());
  status_.emplace(folder_.path(), id_.id, start_.step(), static_cast<std::uint64_t>(config_.runconfig.steps()),
                  status_sources(joining_, *trainer_));
}

bool Session::Impl::begin() {
  if (!set_state(joining_, start_, *trainer_, out_)) return false;
  file_.emplace(config_.runconfig.model_dir, id_.id, metrics_before(config_, start_));
  say(file_->note(), out_);
  start_.checkpoint.reset();
  open_files();
  saver_->save_settings(file_->first());
  if (config_.runconfig.save_initial_checkpoint) saver_->save(*trainer_, *file_);
  return true;
}

/// Opens the files of TensorBoard and Prometheus.
void Session::Impl::open_files() {
  summaries_.emplace(config_,
                     session_start(config_, *trainer_, tokenizer_, id_.id, file_->last(), options_.samples != nullptr));
  generated_.emplace(config_, *trainer_, tokenizer_);
  prometheus_.emplace(config_, id_.id, trainer_->history().done());
  if (!config_.metrics_prometheus.empty()) folder_.will_make(std::filesystem::absolute(config_.metrics_prometheus));
  prometheus_->begin();
  report_.emplace(config_, out_, context_.progress.get());
  run_.emplace(Run{
      config_, *plan_, *trainer_, *saver_, *file_, *summaries_, *generated_, *prometheus_, *report_, folder_, *status_,
      [this] { return memory_report(config_, *plan_, joining_ == nullptr, trainer_->cluster().pages()); }});
}

void Session::Impl::print_header() {
  if (const auto tiers = flash_tier_report(config_, *plan_, trainer_->cluster().pages())) out_ << *tiers << '\n';
  report_->header(plan_->parameters, compiler::count_kept(plan_->tensors, plan_->mask),
                  options_.samples ? 0 : trainer_->data().samples());
  out_.flush();  // the first step may take long
}

Session::Session(const config::Config& config, std::ostream& out, const ranks::RunContext& context,
                 const TrainOptions& options)
    : impl_(std::make_unique<Impl>(config, out, context, options)), first_(impl_->start().step()) {}

Session::~Session() = default;

void Session::complete() { impl_->complete(); }
void Session::prepare(const swarmx::MakeWafer& make_wafer) { impl_->prepare(make_wafer); }
bool Session::begin() { return impl_->begin(); }
void Session::print_header() { impl_->print_header(); }
const Run& Session::run() const { return impl_->run(); }
Trainer& Session::trainer() { return impl_->trainer(); }
void Session::end_status(const std::string& outcome) { impl_->status().end(outcome); }

Refusal Session::placed(const config::Config& config, const ranks::RunContext& context, const Refusal& refusal) {
  if (const Refusal of_key = config::placed(config, refusal); !of_key.place().empty()) return of_key;
  if (context.joining && refusal.subject().starts_with(context.joining->address + ":"))
    return refusal.within("MASTER_ADDR and MASTER_PORT");
  const bool of_tier =
      !config.memoryx_flash_dir.empty() && refusal.subject() == memoryx::scratch_name(config.memoryx_flash_dir);
  return config.error(of_tier ? "memoryx.flash_dir" : "runconfig.model_dir", refusal);
}

}  // namespace weft::train
