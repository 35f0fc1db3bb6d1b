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

namespace weft::train {

/// Loads the checkpoint that runconfig.checkpoint_path names. Throws Refusal.
std::shared_ptr<const checkpoint::CheckpointReader> load_checkpoint_path(const config::Config& config,
                                                                         std::span<const compiler::TensorInfo> tensors);

/// Finds the newest undamaged checkpoint of model_dir, otherwise runconfig.checkpoint_path, otherwise none. Damaged
/// ones are skipped with a message. Throws Refusal if all checkpoints of model_dir are damaged, or if one is not of
/// this model; Refusal as load_checkpoint_path.
ResumePoint find_resume_point(const config::Config& config, const checkpoint::ModelFolder& folder,
                              std::span<const compiler::TensorInfo> tensors);

/// The checkpoint's mask; if it has none, the mask that the sparsity section requests, from the checkpoint's weights.
/// Throws Refusal if there is a section and the checkpoint's mask covers other tensors or keeps another number of
/// weights, and if a run that began dense would continue with masks.
compiler::Mask initial_mask(const config::Config& config, const ResumePoint& start);

/// A message if the plan prunes weights of a dense checkpoint; otherwise none.
std::optional<std::string> note_pruned(const ResumePoint& start, const compiler::Plan& plan);

/// Copies a checkpoint's weights and moments into MemoryX, part by part; weights pruned by the plan's mask become zero.
void restore(const checkpoint::CheckpointReader& checkpoint, swarmx::MemoryXClient& memory);
void restore(const checkpoint::CheckpointReader& checkpoint, const compiler::Plan& plan, memoryx::MemoryX& memoryx);

/// A checkpoint's weights under the plan's mask without moments, for use without training. Takes 4 bytes per parameter.
std::unique_ptr<memoryx::MemoryX> weights_of(const config::Config& config, const compiler::Plan& plan,
                                             const checkpoint::CheckpointReader& checkpoint);

}  // namespace weft::train
