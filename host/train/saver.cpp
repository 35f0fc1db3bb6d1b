#include "host/train/saver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "host/checkpoint/error.hpp"
#include "host/checkpoint/lock_folder.hpp"
#include "host/checkpoint/reader.hpp"
#include "host/checkpoint/writer.hpp"
#include "host/config/file/show.hpp"
#include "host/tokenizer/vocabulary.hpp"
#include "host/train/checkpoint_metadata.hpp"
#include "host/train/resume.hpp"

namespace weft::train {
namespace {

constexpr const char* kBest = "best.safetensors";

/// The first half of the message about a state that was saved outside the run's own folder.
std::string why_left(const std::filesystem::path& folder) {
  std::error_code error;
  const auto lock = std::filesystem::symlink_status(folder / checkpoint::kLock, error);
  if (error == std::errc::permission_denied) return "can no longer be entered; ";
  if (exists(lock) && !is_regular_file(lock)) return "has a .lock that is no longer a regular file; ";
  return "was deleted while the run trained, and its name now belongs to another file; ";
}

}  // namespace

Saver::Saver(const config::Config& config, checkpoint::ModelFolder& folder, const compiler::Plan& plan,
             std::optional<tokenizer::Tokenizer> tokenizer, RunId run, checkpoint::Metadata settings,
             std::optional<std::uint64_t> saved, std::chrono::milliseconds autosave)
    : config_(config),
      folder_(folder),
      plan_(plan),
      tokenizer_(std::move(tokenizer)),
      run_(std::move(run)),
      settings_(std::move(settings)),
      vocabulary_(tokenizer_ ? tokenizer::vocabulary_text(*tokenizer_, run_.id) : ""),
      vocabulary_name_(tokenizer::vocabulary_name(tokenizer_)),
      saved_(saved),
      autosave_(autosave) {
  folder_.sign(run_.id);
  if (config_.runconfig.keep_best) best_ = best_before();
  if (saved_) autosaves_ = find_autosaves(folder_);
}

void Saver::save_settings(std::uint64_t first) const {
  config::save_config(config_, folder_.path().string(), "train", run_.id, run_.earlier, first);
  tokenizer::save_vocabulary(folder_.path().string(), tokenizer_, run_.id);
}

void Saver::check_ownership(Trainer& trainer, metrics::MetricsFile& metrics) {
  const std::string before = folder_.path().string();
  const checkpoint::ModelFolder::Fate fate = folder_.check();
  if (fate == checkpoint::ModelFolder::Fate::Ours) return;
  try {
    end_saving(true);
  } catch (const Refusal&) {  // it was being written to the lost folder
  }
  const std::string where = folder_.path().string();
  const std::string saved = fmt::format("the state after step {} is saved in {}", trainer.history().done(),
                                        folder_.checkpoint_file(trainer.history().done()));
  saved_.reset();
  if (fate == checkpoint::ModelFolder::Fate::Deleted) {
    metrics.moved_to(where);
    save_settings(metrics.first());
    metrics.write_again();
  } else {
    metrics.moved_to(where);
  }
  write_checkpoint(trainer, metrics);
  if (where == before) {
    throw Refusal(where, "was deleted while the run trained and was created again; " + saved,
                  "the same command continues");
  }
  if (fate == checkpoint::ModelFolder::Fate::Deleted) {
    throw Refusal(before, why_left(before) + saved, "continue with --model_dir " + where);
  }
  throw Refusal(config_.runconfig.model_dir, fmt::format("was moved to {} while the run trained; {}", where, saved),
                "continue with --model_dir " + where);
}

bool Saver::checkpoint_due(std::uint64_t step) const {
  const int every = config_.runconfig.checkpoint_steps;
  return every > 0 && step % static_cast<std::uint64_t>(every) == 0;
}

bool Saver::autosave_due() const { return !saving_ && Clock::now() - begun_ >= autosave_; }

void Saver::begin_autosave(Trainer& trainer, const metrics::MetricsFile& metrics) {
  begun_ = Clock::now();
  if (saved_ == trainer.history().done()) return;
  try {
    if (!folder_.has_room(2))
      throw checkpoint::file_error(
          folder_.path().string(), "", "has no room for a periodic checkpoint in addition to the last one",
          "make room; without a periodic checkpoint a killed run continues from an older state");
    if (!has_own_vocabulary()) tokenizer::save_vocabulary(folder_.path().string(), tokenizer_, run_.id);
    begin_checkpoint(trainer, metrics, true);
  } catch (const Refusal& e) {
    note_ = e.what();
  }
}

void Saver::drop_autosaves() { train::drop_autosaves(folder_, autosaves_, saved_); }

void Saver::save(Trainer& trainer, metrics::MetricsFile& metrics) {
  begin_save(trainer, metrics);
  finish_save(trainer, metrics, true);
}

void Saver::begin_save(Trainer& trainer, metrics::MetricsFile& metrics) {
  finish_save(trainer, metrics, true);
  if (saved_ == trainer.history().done() && !autosaves_.contains(trainer.history().done())) return;
  check_ownership(trainer, metrics);
  try {
    if (!has_own_vocabulary()) tokenizer::save_vocabulary(folder_.path().string(), tokenizer_, run_.id);
    begin_checkpoint(trainer, metrics);
  } catch (const Refusal&) {
    check_ownership(trainer, metrics);  // the folder may have been lost since
    throw;
  }
}

void Saver::finish_save(Trainer& trainer, metrics::MetricsFile& metrics, bool wait) {
  try {
    end_saving(wait);
  } catch (const Refusal&) {
    check_ownership(trainer, metrics);  // the cause may be a lost folder
    throw;
  }
}

void Saver::end_saving(bool wait) {
  if (!saving_ || (!wait && !saving_->snapshot->ended())) return;
  const Saving saving = *std::exchange(saving_, std::nullopt);
  try {
    saving.snapshot->wait();
  } catch (const Refusal& e) {
    if (!saving.autosave) throw;
    note_ = e.what();
    return;
  }
  if (saving.step > 0) folder_.keep();
  saving.autosave ? void(autosaves_.insert(saving.step)) : void(autosaves_.erase(saving.step));
  saved_ = saving.step;
  unpruned_ = true;
  if (saving.good) mark_good();
}

void Saver::write_checkpoint(Trainer& trainer, const metrics::MetricsFile& metrics) {
  begin_checkpoint(trainer, metrics);
  end_saving(true);
}

void Saver::begin_checkpoint(Trainer& trainer, const metrics::MetricsFile& metrics, bool autosave) {
  const std::uint64_t step = trainer.history().done();
  begun_ = Clock::now();
  checkpoint::Metadata about = metadata(trainer);
  if (!metrics.unwritten().empty())
    about["metrics"] = metrics.unwritten();  // the line could not be written to the
                                             // file
  if (autosave) about[kAutosave] = "yes";
  saving_ = {step, begin_file(folder_.checkpoint_file(step), trainer, about), false, autosave};
}

/// The settings of the run, and its place in the data.
checkpoint::Metadata Saver::metadata(Trainer& trainer) const {
  checkpoint::Metadata about = checkpoint_metadata(settings_, trainer.data().position(trainer.history().done()));
  if (const auto average = trainer.history().average_loss()) about[kAverageLoss] = fmt::format("{}", *average);
  return about;
}

/// Adds the identity of the run, and the state's hash.
void Saver::add_run(checkpoint::Metadata& about, Trainer& trainer) const {
  about["run"] = run_.id;
  if (!run_.earlier.empty()) about[kRunsBefore] = run_.earlier;
  // Recorded if the next step failed after its mask update: that update must not be repeated.
  const StepHistory& history = trainer.history();
  if (history.last_mask_update() == history.done()) about[kLastMaskUpdate] = fmt::format("{}", history.done());
  about["vocabulary"] = vocabulary_name_;
  about["state_hash"] = fmt::format("{:016x}", trainer.memory().hash());
}

checkpoint::Checkpoint Saver::state(Trainer& trainer) const {
  checkpoint::Checkpoint state{.step = trainer.history().done(),
                               .weights = {},
                               .first_moments = {},
                               .second_moments = {},
                               .mask = trainer.plan().mask,
                               .about = metadata(trainer)};
  add_run(state.about, trainer);
  std::vector<float>* const vectors[] = {&state.weights, &state.first_moments, &state.second_moments};
  for (int n = 0; n <= trainer.memory().moments(); ++n) vectors[n]->resize(plan_.parameters);
  const auto take = [&](int vector, std::uint64_t first, std::span<const float> values) {
    std::ranges::copy(values, vectors[vector]->begin() + static_cast<std::ptrdiff_t>(first));
  };
  trainer.memory().snapshot(take, [] {})->wait();
  return state;
}

std::shared_ptr<memoryx::Snapshot> Saver::begin_file(const std::string& file, Trainer& trainer,
                                                     checkpoint::Metadata about) const {
  add_run(about, trainer);
  const auto writer = std::make_shared<checkpoint::CheckpointWriter>(
      file, plan_.tensors, trainer.history().done(), &trainer.plan().mask, about, trainer.memory().moments());
  const auto take = [writer](int vector, std::uint64_t first, std::span<const float> values) {
    writer->write(static_cast<checkpoint::CheckpointWriter::Vector>(vector), first, values);
  };
  const auto may_appear = [folder = folder_.path(), run = run_.id] {
    // this process may have been suspended
    if (checkpoint::names_another(folder, run)) throw checkpoint::taken(folder);
  };
  return trainer.memory().snapshot(take, [writer, may_appear] { writer->commit(may_appear); });
}

/// The loss of this run's best.safetensors, if the file is undamaged. A run that is repeated from an earlier checkpoint
/// gets the same losses again.
std::optional<double> Saver::best_before() const {
  const std::string file = folder_.path() / kBest;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
  try {
    const auto best = checkpoint::open_checkpoint(file, plan_.tensors);
    const auto loss = best->about.find("eval_loss"), run = best->about.find("run");
    if (loss == best->about.end() || run == best->about.end()) return std::nullopt;
    if (run->second != run_.id && run_.earlier.find(run->second) == std::string::npos) return std::nullopt;
    return std::stod(loss->second);
  } catch (const std::exception&) {  // the file will be rewritten
    return std::nullopt;
  }
}

void Saver::keep_best(Trainer& trainer, metrics::MetricsFile& metrics, double eval_loss) {
  if (!config_.runconfig.keep_best || (best_ && eval_loss >= *best_)) return;
  finish_save(trainer, metrics, true);
  checkpoint::Metadata about = checkpoint_metadata(settings_, trainer.data().position(trainer.history().done()));
  about["eval_loss"] = fmt::format("{}", eval_loss);
  begin_file(folder_.path() / kBest, trainer, about)->wait();
  best_ = eval_loss;
}

/// False if vocab.json was deleted or overwritten.
bool Saver::has_own_vocabulary() const {
  if (!tokenizer_) return true;
  try {
    const std::vector<std::uint8_t> bytes = checkpoint::read_file(tokenizer::vocabulary_file(folder_.path().string()));
    return std::string(bytes.begin(), bytes.end()) == vocabulary_;
  } catch (const Refusal&) {
    return false;
  }
}

void Saver::mark_trained_on(Trainer& trainer, metrics::MetricsFile& metrics) {
  finish_save(trainer, metrics, false);
  saving_ ? void(saving_->good = true) : mark_good();
}

void Saver::mark_good() {
  if (!std::exchange(unpruned_, false)) return;
  good_ = saved_;
  drop_autosaves();
  prune();
}

void Saver::prune() const {
  const config::RunConfig& run = config_.runconfig;
  if (saved_ && good_) {
    folder_.prune(run.save_initial_checkpoint ? 1 : 0, *saved_, run.keep_checkpoint_max, good_, autosaves_);
  }
}

}  // namespace weft::train
