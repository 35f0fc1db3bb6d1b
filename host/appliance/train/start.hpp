/// What a run begins with: nothing, a file, or where the last run in the same folder was stopped.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/appliance/config/config.hpp"
#include "host/appliance/data/data.hpp"
#include "host/checkpoint/checkpoint.hpp"
#include "host/checkpoint/model_folder.hpp"
#include "host/memoryx/memoryx.hpp"

namespace weft {

struct Start {
  std::optional<Checkpoint> checkpoint;  ///< none: from the seed
  bool resumed = false;                  ///< the checkpoint is one of model_dir
  std::vector<std::string> lines;        ///< what the user should know

  std::uint64_t step() const { return checkpoint ? checkpoint->step : 0; }  ///< steps done
};

/// The checkpoint that runconfig.checkpoint_path names. Throws ConfigError.
Checkpoint load_given(const Config& config, std::span<const TensorInfo> tensors);

/// The newest whole checkpoint of model_dir, else runconfig.checkpoint_path, else nothing. A damaged one is passed over
/// and said so. Throws CheckpointError if none of model_dir's is whole, or if one is not of this model; ConfigError as
/// load_given.
Start find_start(const Config& config, const ModelFolder& folder, std::span<const TensorInfo> tensors);

/// The checkpoint's mask; if it has none, the one that the sparsity section asks for, of the checkpoint's weights.
/// Throws ConfigError if there is a section and the checkpoint's has other tensors or keeps another number of weights,
/// and if a run would go on with masks that it began without.
Mask start_mask(const Config& config, const Start& start);

/// Puts a checkpoint's weights and moments into MemoryX; what plan.mask leaves out becomes zero.
void restore(const Checkpoint& checkpoint, const Plan& plan, MemoryX& memoryx);

/// What a checkpoint says of the run: the settings and the data that select its samples, and how far they are.
Metadata describe_run(const Config& config, const TrainingData& data, std::uint64_t step);

/// A line of what selects samples and is not what it was when the run stopped, and of where it goes on; none if all is.
std::optional<std::string> note_changes(const Config& config, const TrainingData& data, const Checkpoint& checkpoint);

}  // namespace weft
