/// The masks a run begins with.
#pragma once

#include "host/checkpoint/reader.hpp"
#include "host/config/config.hpp"
#include "sw/compiler/mask.hpp"

namespace weft {

/// The masks that the `sparsity` section asks for. `topk` looks at the checkpoint's weights; if it is null, at the
/// initial ones of runconfig.seed. `checkpoint` is of their zeros. Throws Refusal.
Mask make_mask(const Config& config, const CheckpointReader* checkpoint = nullptr);

}  // namespace weft
