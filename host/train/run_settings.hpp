/// The settings that determine a training run: identity, rejections and notes at resume, and the records in checkpoints
/// all derive from this list (docs/reference/identity.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/checkpoint/checkpoint.hpp"
#include "host/config/config.hpp"
#include "host/data/data.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::train {

/// Settings by name, as text: {"train_input.batch_size", "6"}. Contains each key that affects the bits in this
/// configuration (the table of keys, host/config/keys/effect.hpp), and these values derived by the program:
///
///   model.network, network_content   the network's name, and the checksum of its file without comments and layout
///   train_input.tokens               number and checksum of all tokens
///   train_input.weights              parts of each data set in 10,000 samples, if there are several
///   wafer.sequence_columns           as chosen by the compiler, if auto
checkpoint::Metadata run_settings(const config::Config& config, const compiler::Plan& plan,
                                  const data::TrainingData& data);
/// The settings of the model alone, on which evaluations and generated text depend.
checkpoint::Metadata model_settings(const config::Config& config);
/// The settings of the wafer alone, which determine the order of additions.
checkpoint::Metadata wafer_settings(const config::Config& config);

/// Permits a sparse run with static masks to be continued without a sparsity section: the mask settings of the
/// checkpoint are copied to `settings`.
void inherit_masks(const config::Config& config, const checkpoint::Metadata& before, checkpoint::Metadata& settings);

/// Treats patterns that match the same tensors as the checkpoint's patterns as the same setting: the checkpoint's
/// patterns are copied to `settings`.
void inherit_patterns(const config::Config& config, const checkpoint::Metadata& before, checkpoint::Metadata& settings);

struct SettingChange {
  std::string key, before, now;
  std::string text() const;  ///< e.g. "wafer.lanes was 4 and is 8 now"
};
struct SettingChanges {
  std::vector<SettingChange> changed;
  std::vector<std::string> unknown;  ///< keys that a checkpoint of an older program does not record
};

/// The differences between `now` and the settings that a checkpoint records. `sparse`: the checkpoint has masks.
SettingChanges compare_settings(const checkpoint::Metadata& before, const checkpoint::Metadata& now, bool sparse);

/// Metadata entry of a checkpoint stating that all settings are recorded: a missing one had its default, or no effect.
inline constexpr const char* kSettingsRecorded = "settings_recorded";

}  // namespace weft::train
