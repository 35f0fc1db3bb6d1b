/// What a run begins with: nothing, a file, or where the last run in the same folder was stopped.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/checkpoint/model_folder.hpp"
#include "host/checkpoint/reader.hpp"
#include "host/config/config.hpp"
#include "host/data/data.hpp"
#include "host/swarmx/memory/memory.hpp"
#include "host/train/run_settings.hpp"

namespace weft {

struct Start {
  std::shared_ptr<const CheckpointReader> checkpoint;  ///< null: from the seed
  bool resumed = false;                                ///< the checkpoint is one of model_dir
  std::string file;                                    ///< the checkpoint's; empty: none
  std::vector<std::string> lines;                      ///< what the user should know

  std::uint64_t step() const { return checkpoint ? checkpoint->step : 0; }  ///< steps done
};

/// A checkpoint of this model. Throws as load_checkpoint, and Refusal if it says that it was trained with
/// another model.network, model.num_heads or model.rotary_dim: its tensors would have the same shapes.
std::shared_ptr<const CheckpointReader> load_of_model(const Config& config, const std::string& file,
                                                      std::span<const TensorInfo> tensors);

/// The checkpoint that runconfig.checkpoint_path names. Throws Refusal.
std::shared_ptr<const CheckpointReader> load_given(const Config& config, std::span<const TensorInfo> tensors);

/// The newest whole checkpoint of model_dir, else runconfig.checkpoint_path, else nothing. A damaged one is passed over
/// and said so. Throws Refusal if none of model_dir's is whole, or if one is not of this model; Refusal as
/// load_given.
Start find_start(const Config& config, const ModelFolder& folder, std::span<const TensorInfo> tensors);

/// What a checkpoint says of Trainer::dealt, if it is of a step that has begun with a deal.
inline constexpr const char* kDealt = "dealt";
/// The runs that its own continues with other settings (RunIdentity::before).
inline constexpr const char* kRunsBefore = "run_before";
std::optional<std::uint64_t> dealt_of(const CheckpointReader& checkpoint);

/// The checkpoint's mask; if it has none, the one that the sparsity section asks for, of the checkpoint's weights.
/// Throws Refusal if there is a section and the checkpoint's has other tensors or keeps another number of weights,
/// and if a run would go on with masks that it began without.
Mask start_mask(const Config& config, const Start& start);

/// Throws Refusal if a checkpoint that has an optimizer's state has that of another than the run's.
void check_optimizer_of(const Config& config, const Start& start);

/// A line that the plan leaves out weights of a dense checkpoint; none if it does not.
std::optional<std::string> note_pruned(const Start& start, const Plan& plan);

/// Puts a checkpoint's weights and moments into MemoryX, piece by piece; what the plan's mask leaves out becomes zero.
void restore(const CheckpointReader& checkpoint, Memory& memory);
void restore(const CheckpointReader& checkpoint, const Plan& plan, MemoryX& memoryx);

/// What nobody trains: a checkpoint's weights as the plan's mask has them, and none of its moments. 4 bytes a
/// parameter.
std::unique_ptr<MemoryX> weights_of(const Config& config, const Plan& plan, const CheckpointReader& checkpoint);

/// The metadata of a checkpoint: the settings (run_settings.hpp), and the samples that the run has taken so far.
Metadata describe_run(Metadata settings, std::uint64_t position);
/// Samples that were taken before the checkpoint; if it does not record them, steps of `batch_size`.
inline constexpr const char* kPosition = "data_position";
std::uint64_t data_position(const CheckpointReader& checkpoint, int batch_size);

/// How a run's settings differ from the checkpoint's; settings that `settings` leaves to the checkpoint are the
/// checkpoint's from now on.
SettingChanges changes_since(const Config& config, const Start& start, Metadata& settings);
/// Throws Refusal that names every setting that changes the bits of a run that continues in its folder.
void check_settings(const SettingChanges& changes, const Start& start, bool allow_other_bits);
/// A line that names the changed settings and where in the data the run continues.
std::string note_changes(const SettingChanges& changes, const TrainingData& data, std::uint64_t position);
/// A line that names what the checkpoint of an older program does not record; none if it records everything.
std::optional<std::string> note_unknown(const SettingChanges& changes, const std::string& file);

/// A line about these for what trains on from any checkpoint and saves nothing; none if there is nothing to report.
std::optional<std::string> note_continuation(const Config& config, const Start& start, const Plan& plan,
                                             const TrainingData& data);

/// A line that names the changed settings of the model, and of the wafer in mode eval, for what needs no training data;
/// none if there are none.
std::optional<std::string> note_mathematics(const Config& config, const CheckpointReader& checkpoint);

}  // namespace weft
