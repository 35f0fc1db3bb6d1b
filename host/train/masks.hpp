/// The initial masks of a run.
#pragma once

#include "host/checkpoint/reader.hpp"
#include "host/config/config.hpp"
#include "sw/compiler/model/mask.hpp"

namespace weft::train {

/// Creates the masks that the `sparsity` section requests. `topk` uses the checkpoint's weights, or the initial weights
/// of runconfig.seed if `checkpoint` is null; init_method `checkpoint` prunes the checkpoint's zeros. Throws Refusal.
compiler::Mask make_mask(const config::Config& config, const checkpoint::CheckpointReader* checkpoint = nullptr);

}  // namespace weft::train
