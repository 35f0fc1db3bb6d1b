/// The initial state of a run: from the seed, from a file, or from the last checkpoint in the same folder.
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
#include "host/swarmx/protocol/memoryx_client.hpp"
#include "host/train/resume_point.hpp"

namespace weft {

/// Loads the checkpoint that runconfig.checkpoint_path names. Throws Refusal.
std::shared_ptr<const CheckpointReader> load_checkpoint_path(const Config& config, std::span<const TensorInfo> tensors);

/// Finds the newest undamaged checkpoint of model_dir, otherwise runconfig.checkpoint_path, otherwise none. Damaged
/// ones are skipped with a message. Throws Refusal if all checkpoints of model_dir are damaged, or if one is not of
/// this model; Refusal as load_checkpoint_path.
ResumePoint find_resume_point(const Config& config, const ModelFolder& folder, std::span<const TensorInfo> tensors);

/// The checkpoint's mask; if it has none, the mask that the sparsity section requests, from the checkpoint's weights.
/// Throws Refusal if there is a section and the checkpoint's mask covers other tensors or keeps another number of
/// weights, and if a run that began dense would continue with masks.
Mask initial_mask(const Config& config, const ResumePoint& start);

/// A message if the plan prunes weights of a dense checkpoint; otherwise none.
std::optional<std::string> note_pruned(const ResumePoint& start, const Plan& plan);

/// Copies a checkpoint's weights and moments into MemoryX, part by part; weights pruned by the plan's mask become zero.
void restore(const CheckpointReader& checkpoint, MemoryXClient& memory);
void restore(const CheckpointReader& checkpoint, const Plan& plan, MemoryX& memoryx);

/// A checkpoint's weights under the plan's mask without moments, for use without training. Takes 4 bytes per parameter.
std::unique_ptr<MemoryX> weights_of(const Config& config, const Plan& plan, const CheckpointReader& checkpoint);

}  // namespace weft
