/// The list of what makes a training run this run: identity, refusals and notes at resume, and what checkpoints record
/// all come from it (docs/identity.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/checkpoint/checkpoint.hpp"
#include "host/config/config.hpp"
#include "host/data/data.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// A setting by name, as text: {"train_input.batch_size", "6"}. Each key whose effect in this configuration is on the
/// bits (the table of keys, host/config/effect.hpp), and what the program makes of derived keys:
///
///   model.network, network_content   the network's name, and the checksum of its file without comments and layout
///   train_input.tokens               number and checksum of all tokens
///   train_input.weights              parts of each data set in 10,000 samples, if there are several
///   wafer.sequence_columns           as chosen by the compiler, if auto
Metadata run_settings(const Config& config, const Plan& plan, const TrainingData& data);
/// Those of the model alone: what evaluations and generated text depend on.
Metadata model_settings(const Config& config);
/// Those of the wafer alone: the order in which it adds.
Metadata wafer_settings(const Config& config);

/// A checkpoint of a sparse run may be continued without a sparsity section, if its masks do not move: the settings of
/// the masks are the checkpoint's then, and go into `settings`.
void inherit_masks(const Config& config, const Metadata& before, Metadata& settings);

/// Patterns that choose the tensors that the checkpoint's chose are no other setting: those of the checkpoint go into
/// `settings`.
void inherit_patterns(const Config& config, const Metadata& before, Metadata& settings);

struct SettingChange {
  std::string key, before, now;
  std::string text() const;  ///< "wafer.lanes was 4 and is 8 now"
};
struct SettingChanges {
  std::vector<SettingChange> changed;
  std::vector<std::string> unknown;  ///< keys that the checkpoint, of an older program, does not record
};

/// How `now` differs from what a checkpoint records. `sparse`: the checkpoint has masks.
SettingChanges compare_settings(const Metadata& before, const Metadata& now, bool sparse);

/// The entry of a checkpoint's metadata with which it says that all settings are recorded: what is not there had its
/// default, or no effect.
inline constexpr const char* kSettingsRecorded = "settings_recorded";

}  // namespace weft
