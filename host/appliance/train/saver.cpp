#include "host/appliance/train/saver.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "host/appliance/config/show.hpp"
#include "host/appliance/data/vocabulary.hpp"
#include "host/appliance/train/start.hpp"
#include "host/checkpoint/writer.hpp"

namespace weft {

Saver::Saver(const Config& config, ModelFolder& folder, const Plan& plan, std::optional<Tokenizer> tokenizer,
             std::string run, std::optional<std::uint64_t> saved)
    : config_(config),
      folder_(folder),
      plan_(plan),
      tokenizer_(std::move(tokenizer)),
      run_(std::move(run)),
      vocabulary_(tokenizer_ ? vocabulary_text(*tokenizer_, run_) : ""),
      vocabulary_name_(vocabulary_name(tokenizer_)),
      saved_(saved) {
  folder_.sign(run_);
}

void Saver::save_settings(std::uint64_t first) const {
  save_config(config_, folder_.path().string(), "train", run_, first);
  save_vocabulary(folder_.path().string(), tokenizer_, run_);
}

void Saver::look(Trainer& trainer, MetricsFile& metrics) {
  const std::string before = folder_.path().string();
  const ModelFolder::Fate fate = folder_.look();
  if (fate == ModelFolder::Fate::Ours) return;
  try {
    end_saving(true);
  } catch (const Refusal&) {  // it was on its way into the folder that is gone
  }
  const std::string where = folder_.path().string();
  const std::string saved =
      fmt::format("the state after step {} is saved in {}", trainer.done(), folder_.checkpoint_file(trainer.done()));
  saved_.reset();
  if (fate == ModelFolder::Fate::Deleted) {
    metrics.moved_to(where);
    save_settings(metrics.first());
    metrics.write_again();
  } else {
    metrics.moved_to(where);
  }
  write(trainer, metrics);
  if (where == before) {
    throw Refusal(where, "was deleted while the run trained; made again, " + saved, "the same command goes on");
  }
  if (fate == ModelFolder::Fate::Deleted) {
    throw Refusal(before, "was deleted while the run trained, and the name is another's now; " + saved,
                  "go on with --model_dir " + where);
  }
  throw Refusal(config_.runconfig.model_dir, fmt::format("was moved to {} while the run trained; {}", where, saved),
                "go on with --model_dir " + where);
}

bool Saver::due(std::uint64_t step) const {
  const int every = config_.runconfig.checkpoint_steps;
  return every > 0 && step % static_cast<std::uint64_t>(every) == 0;
}

void Saver::save(Trainer& trainer, MetricsFile& metrics) {
  begin_save(trainer, metrics);
  finish(trainer, metrics, true);
}

void Saver::begin_save(Trainer& trainer, MetricsFile& metrics) {
  finish(trainer, metrics, true);
  if (saved_ == trainer.done()) return;
  look(trainer, metrics);
  if (!has_own_vocabulary()) save_vocabulary(folder_.path().string(), tokenizer_, run_);
  begin(trainer, metrics);
}

void Saver::finish(Trainer& trainer, MetricsFile& metrics, bool wait) {
  try {
    end_saving(wait);
  } catch (const Refusal&) {
    look(trainer, metrics);  // it may be the folder that is gone
    throw;
  }
}

void Saver::end_saving(bool wait) {
  if (!saving_ || (!wait && !saving_->snapshot->ended())) return;
  const Saving saving = *std::exchange(saving_, std::nullopt);
  saving.snapshot->wait();
  if (saving.step > 0) folder_.keep();
  saved_ = saving.step;
  unpruned_ = true;
  if (saving.good) was_good();
}

void Saver::write(Trainer& trainer, const MetricsFile& metrics) {
  begin(trainer, metrics);
  end_saving(true);
}

void Saver::begin(Trainer& trainer, const MetricsFile& metrics) {
  const std::uint64_t step = trainer.done();
  const std::uint64_t hash = trainer.memoryx().hash();
  Metadata about = describe_run(config_, trainer.data(), step);
  about["run"] = run_;
  if (!metrics.unwritten().empty()) about["metrics"] = metrics.unwritten();  // it found no room
  about["vocabulary"] = vocabulary_name_;
  about["state_hash"] = fmt::format("{:016x}", hash);
  const auto writer =
      std::make_shared<CheckpointWriter>(folder_.checkpoint_file(step), plan_.tensors, step, &plan_.mask, about);
  const auto take = [writer](int vector, std::uint64_t first, std::span<const float> values) {
    writer->write(static_cast<CheckpointWriter::Vector>(vector), first, values);
  };
  saving_ = {step, trainer.memoryx().snapshot(take, [writer] { writer->commit(); })};
}

/// Somebody may have deleted it or written over it.
bool Saver::has_own_vocabulary() const {
  if (!tokenizer_) return true;
  try {
    const std::vector<std::uint8_t> bytes = read_file(vocabulary_file(folder_.path().string()));
    return std::string(bytes.begin(), bytes.end()) == vocabulary_;
  } catch (const Refusal&) {
    return false;
  }
}

void Saver::trained_on(Trainer& trainer, MetricsFile& metrics) {
  finish(trainer, metrics, false);
  saving_ ? void(saving_->good = true) : was_good();
}

void Saver::was_good() {
  if (!std::exchange(unpruned_, false)) return;
  good_ = saved_;
  prune();
}

void Saver::prune() const {
  const RunConfig& run = config_.runconfig;
  if (saved_ && good_) {
    folder_.prune(run.save_initial_checkpoint ? 1 : 0, *saved_, run.keep_checkpoint_max, good_);
  }
}

}  // namespace weft
