/// When the keys and values of texts stay on the wafer: runconfig.use_cache.
#pragma once

#include <optional>

#include "host/config/config.hpp"

namespace weft {

/// Whether it pays to keep what a prompt of `tokens` tokens has, which costs a pass for each of them: auto, if as many
/// follow before the window slides (docs/generation.md); always, if it fits in the window; never.
bool keeps(const Config& config, std::size_t tokens);

/// The plan, of compile_decode; none of runconfig.use_cache never, and of auto where the model has no such plan on
/// this wafer. Throws Refusal of runconfig.use_cache always there.
std::optional<Plan> decode_plan(const Config& config, const Mask& mask);

}  // namespace weft
