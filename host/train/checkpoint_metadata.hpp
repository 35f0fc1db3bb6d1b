/// Metadata that a run records in a checkpoint, and the comparison of a checkpoint's metadata with the configuration.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "host/checkpoint/reader.hpp"
#include "host/config/config.hpp"
#include "host/data/data.hpp"
#include "host/train/resume_point.hpp"
#include "host/train/run_settings.hpp"

namespace weft::train {

/// Checkpoint metadata key of the number of steps done at the last mask update; present if the next step had begun with
/// that update. (Stored under its old name.)
inline constexpr const char* kLastMaskUpdate = "dealt";
/// Checkpoint metadata key of StepHistory::average_loss.
inline constexpr const char* kAverageLoss = "average_loss";
/// Checkpoint metadata key of the runs that this run continues with other settings (RunId::earlier).
inline constexpr const char* kRunsBefore = "run_before";
std::optional<std::uint64_t> last_mask_update_in(const checkpoint::CheckpointReader& checkpoint);
std::optional<double> average_loss_in(const checkpoint::CheckpointReader& checkpoint);

/// Loads a checkpoint of this model. Throws as load_checkpoint, and Refusal if the checkpoint records another
/// model.network, model.num_heads or model.rotary_dim, which the shapes of the tensors do not show.
std::shared_ptr<const checkpoint::CheckpointReader> load_of_model(const config::Config& config, const std::string& file,
                                                                  std::span<const compiler::TensorInfo> tensors);

/// Throws Refusal if the checkpoint has the state of an optimizer other than the run's.
void check_optimizer_of(const config::Config& config, const ResumePoint& start);

/// The metadata of a checkpoint: the settings (run_settings.hpp), and the number of samples that the run has consumed.
checkpoint::Metadata checkpoint_metadata(checkpoint::Metadata settings, std::uint64_t position);
/// Number of samples consumed before the checkpoint; if it is not recorded, computed from steps of `batch_size`.
inline constexpr const char* kPosition = "data_position";
std::uint64_t data_position(const checkpoint::CheckpointReader& checkpoint, int batch_size);

/// The differences between a run's settings and the checkpoint's. Settings that `settings` inherits from the checkpoint
/// are replaced by the checkpoint's.
SettingChanges changes_since(const config::Config& config, const ResumePoint& start, checkpoint::Metadata& settings);
/// Throws Refusal that names every changed setting that affects the bits of a run that continues in its folder.
void check_settings(const SettingChanges& changes, const ResumePoint& start, bool allow_other_bits);
/// A message that names the changed settings and the position in the data at which the run continues.
std::string note_changes(const SettingChanges& changes, const data::TrainingData& data, std::uint64_t position);
/// A message that names the settings that a checkpoint of an older program does not record; none if it records all.
std::optional<std::string> note_unknown(const SettingChanges& changes, const std::string& file);

/// A message about changed settings for modes that train on from any checkpoint and save nothing; none if there is
/// nothing to report.
std::optional<std::string> note_continuation(const config::Config& config, const ResumePoint& start,
                                             const compiler::Plan& plan, const data::TrainingData& data);

/// A message that names the changed settings of the model, and of the wafer in mode eval, for modes without training
/// data; none if there are none.
std::optional<std::string> note_mathematics(const config::Config& config,
                                            const checkpoint::CheckpointReader& checkpoint);

}  // namespace weft::train
