/// The masks a run begins with.
#pragma once

#include <span>

#include "host/appliance/config/config.hpp"
#include "sw/compiler/mask.hpp"

namespace weft {

/// The masks that the `sparsity` section asks for. `topk` looks at `weights`, [parameters]; if there are none, at the
/// initial ones of runconfig.seed. `checkpoint` is of their zeros. Throws Refusal.
Mask make_mask(const Config& config, std::span<const float> weights = {});

}  // namespace weft
