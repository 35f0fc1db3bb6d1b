/// When and what a run saves.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "host/appliance/metrics.hpp"
#include "host/checkpoint/checkpoint.hpp"
#include "host/checkpoint/model_folder.hpp"
#include "host/config/config.hpp"
#include "host/data/tokenizer.hpp"
#include "host/train/autosaves.hpp"
#include "host/train/identity.hpp"
#include "host/train/trainer.hpp"

namespace weft {

/// What a checkpoint says of Trainer::average_loss.
inline constexpr const char* kAverageLoss = "average_loss";

/// Writes a run's files into its folder, and looks that it still is.
///
/// An autosave is a checkpoint by time, for a run that is killed. The next good checkpoint replaces it, so that at most
/// one is kept, and a failure to write it does not end the run.
///
/// A state is saved only if its folder is this run's. Of the older checkpoints that go, the newest from which a step
/// was trained never does: a step's loss tells whether the state before it was good.
class Saver {
 public:
  /// All must outlive this. `settings`: run_settings. `saved`: the step whose checkpoint is there. `autosave`: the
  /// longest time without a checkpoint.
  Saver(const Config& config, ModelFolder& folder, const Plan& plan, std::optional<Tokenizer> tokenizer,
        RunIdentity run, Metadata settings, std::optional<std::uint64_t> saved, std::chrono::milliseconds autosave);

  /// params.yaml and vocab.json.
  /// `first`: the step that metrics.jsonl begins with.
  void save_settings(std::uint64_t first) const;

  /// Looks at the folder. If it was deleted or moved the run's files and the state are saved where it can be found, and
  /// a Refusal says so; as one does if another run has it. To be asked in each step and before each save.
  void look(Trainer& trainer, MetricsFile& metrics);

  bool due(std::uint64_t step) const;
  /// The time for an autosave has come.
  bool overdue() const;
  /// Begins an autosave while the next steps run, if the disk has room for it and for one more checkpoint. A problem is
  /// kept for note(). The caller has called look().
  void begin_autosave(Trainer& trainer, const MetricsFile& metrics);
  /// The problem of the last autosave, returned once; empty: none.
  std::string note() { return std::exchange(note_, {}); }
  /// The state is saved by a checkpoint that stays: no autosave is needed.
  void drop_autosaves();
  /// Saves the state as it is, unless it is there already.
  void save(Trainer& trainer, MetricsFile& metrics);
  /// The state as it is as best.safetensors, beside the checkpoints, if no evaluation of this run has found a lower
  /// loss. Waits. With runconfig.keep_best only.
  void keep_best(Trainer& trainer, MetricsFile& metrics, double eval_loss);
  /// The same beside the steps that follow, when what is being saved is: each piece before its next update. Whether it
  /// could be saved `finish` tells.
  void begin_save(Trainer& trainer, MetricsFile& metrics);
  /// Looks at what is being saved, and waits for it if `wait`. Throws Refusal: that the folder is gone, if it is.
  void finish(Trainer& trainer, MetricsFile& metrics, bool wait);
  /// A step has gone right since the last save, and its line is recorded: what was saved is good, and older checkpoints
  /// may go.
  void trained_on(Trainer& trainer, MetricsFile& metrics);
  /// Older checkpoints may go, but for the last good one; none, while none is known to be good.
  void prune() const;
  /// The last checkpoint; empty: none.
  std::string last() const { return saved_ ? folder_.checkpoint_file(*saved_) : ""; }

 private:
  bool has_own_vocabulary() const;
  void begin(Trainer& trainer, const MetricsFile& metrics, bool autosave = false);
  std::shared_ptr<Snapshot> begin_file(const std::string& file, Trainer& trainer, Metadata about) const;
  std::optional<double> best_before() const;
  void write(Trainer& trainer, const MetricsFile& metrics);
  void end_saving(bool wait);
  void was_good();
  /// A checkpoint on its way to the disk.
  struct Saving {
    std::uint64_t step = 0;
    std::shared_ptr<Snapshot> snapshot;
    bool good = false;  // a step was trained from it meanwhile
    bool autosave = false;
  };
  using Clock = std::chrono::steady_clock;

  const Config& config_;
  ModelFolder& folder_;
  const Plan& plan_;
  std::optional<Tokenizer> tokenizer_;
  RunIdentity run_;
  Metadata settings_;
  std::string vocabulary_, vocabulary_name_;  // vocabulary_: what vocab.json has to be
  std::optional<std::uint64_t> saved_;
  std::optional<std::uint64_t> good_;  // the newest of the checkpoints that was trained from
  bool unpruned_ = true;               // nothing was trained since the last save
  std::optional<Saving> saving_;
  std::optional<double> best_;  // eval loss of best.safetensors
  std::chrono::milliseconds autosave_;
  std::set<std::uint64_t> autosaves_;       // steps
  Clock::time_point begun_ = Clock::now();  // the last checkpoint
  std::string note_;
};

}  // namespace weft
