/// Decides when and what a run saves.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "host/checkpoint/checkpoint.hpp"
#include "host/checkpoint/model_folder.hpp"
#include "host/config/config.hpp"
#include "host/metrics/metrics.hpp"
#include "host/tokenizer/tokenizer.hpp"
#include "host/train/autosaves.hpp"
#include "host/train/run_id.hpp"
#include "host/train/trainer.hpp"

namespace weft::train {

/// Writes a run's files into its folder, and checks that the folder still belongs to the run.
///
/// An autosave is a periodic checkpoint, for a run that is killed. The next good checkpoint replaces it, so that at
/// most one is kept, and a failure to write it does not end the run.
///
/// A state is saved only if the folder belongs to this run. When older checkpoints are pruned, the newest one from
/// which a step was trained is always kept: only the loss of the next step shows that a state was good.
class Saver {
 public:
  /// All references must outlive this. `settings`: run_settings. `saved`: the step of the existing checkpoint.
  /// `autosave`: the maximum time without a checkpoint.
  Saver(const config::Config& config, checkpoint::ModelFolder& folder, const compiler::Plan& plan,
        std::optional<tokenizer::Tokenizer> tokenizer, RunId run, checkpoint::Metadata settings,
        std::optional<std::uint64_t> saved, std::chrono::milliseconds autosave);

  /// Writes params.yaml and vocab.json. `first`: the first step in metrics.jsonl.
  void save_settings(std::uint64_t first) const;

  /// Checks the folder. If it was deleted or moved, saves the run's files and the state in the folder's new place or in
  /// a new folder, and throws a Refusal that names it. Also throws Refusal if another run owns the folder. Must be
  /// called in each step and before each save.
  void check_ownership(Trainer& trainer, metrics::MetricsFile& metrics);

  bool checkpoint_due(std::uint64_t step) const;
  /// True if an autosave is due.
  bool autosave_due() const;
  /// Begins an autosave concurrently with the next steps, if the disk has room for it and for one more checkpoint. An
  /// error is kept for note(). The caller must have called check_ownership().
  void begin_autosave(Trainer& trainer, const metrics::MetricsFile& metrics);
  /// The error of the last autosave, returned once; empty: none.
  std::string note() { return std::exchange(note_, {}); }
  /// Deletes autosaves that are not needed because a regular checkpoint has the state.
  void drop_autosaves();
  /// Saves the current state, unless it is saved already.
  void save(Trainer& trainer, metrics::MetricsFile& metrics);
  /// The current state, as a checkpoint has it.
  checkpoint::Checkpoint state(Trainer& trainer) const;
  /// Saves the current state as best.safetensors, in addition to the checkpoints, if no evaluation of this run has had
  /// a lower loss. Waits. Only with runconfig.keep_best.
  void keep_best(Trainer& trainer, metrics::MetricsFile& metrics, double eval_loss);
  /// Saves concurrently with the following steps, once the previous save has ended: each shard is written before its
  /// next update. finish_save() reports the result.
  void begin_save(Trainer& trainer, metrics::MetricsFile& metrics);
  /// Completes a save that has ended, or waits for it if `wait`. Throws Refusal, also if the folder is lost.
  void finish_save(Trainer& trainer, metrics::MetricsFile& metrics, bool wait);
  /// Must be called when a step since the last save has succeeded and its metrics line is recorded: the saved state is
  /// good, and older checkpoints may be deleted.
  void mark_trained_on(Trainer& trainer, metrics::MetricsFile& metrics);
  /// Deletes older checkpoints except the last good one; deletes none while none is known to be good.
  void prune() const;
  /// The last checkpoint; empty: none.
  std::string last_checkpoint() const { return saved_ ? folder_.checkpoint_file(*saved_) : ""; }

 private:
  bool has_own_vocabulary() const;
  void begin_checkpoint(Trainer& trainer, const metrics::MetricsFile& metrics, bool autosave = false);
  checkpoint::Metadata metadata(Trainer& trainer) const;
  void add_run(checkpoint::Metadata& about, Trainer& trainer) const;
  std::shared_ptr<memoryx::Snapshot> begin_file(const std::string& file, Trainer& trainer,
                                                checkpoint::Metadata about) const;
  std::optional<double> best_before() const;
  void write_checkpoint(Trainer& trainer, const metrics::MetricsFile& metrics);
  void end_saving(bool wait);
  void mark_good();
  /// A checkpoint that is being written.
  struct Saving {
    std::uint64_t step = 0;
    std::shared_ptr<memoryx::Snapshot> snapshot;
    bool good = false;  // a step was trained from it meanwhile
    bool autosave = false;
  };
  using Clock = std::chrono::steady_clock;

  const config::Config& config_;
  checkpoint::ModelFolder& folder_;
  const compiler::Plan& plan_;
  std::optional<tokenizer::Tokenizer> tokenizer_;
  RunId run_;
  checkpoint::Metadata settings_;
  std::string vocabulary_, vocabulary_name_;  // vocabulary_: the required contents of vocab.json
  std::optional<std::uint64_t> saved_;
  std::optional<std::uint64_t> good_;  // the newest checkpoint from which a step was trained
  bool unpruned_ = true;               // no step was trained since the last save
  std::optional<Saving> saving_;
  std::optional<double> best_;  // evaluation loss of best.safetensors
  std::chrono::milliseconds autosave_;
  std::set<std::uint64_t> autosaves_;       // steps
  Clock::time_point begun_ = Clock::now();  // start of the last checkpoint
  std::string note_;
};

}  // namespace weft::train
