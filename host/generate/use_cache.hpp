/// Decides whether to cache keys and values on the wafer: runconfig.use_cache.
#pragma once

#include <optional>

#include "host/config/config.hpp"

namespace weft::generate {

/// True if the keys and values of a prompt with `tokens` tokens should be cached, which costs a pass per token. With
/// `auto`: if as many tokens follow before the window slides (docs/explanation/generation.md); with `always`: if the
/// prompt fits in the window; with `never`: false.
bool keeps(const config::Config& config, std::size_t tokens);

/// The plan from compile_decode; none with runconfig.use_cache `never`, or with `auto` if the model has no such plan on
/// this wafer, for which `always` throws Refusal.
std::optional<compiler::Plan> decode_plan(const config::Config& config, const compiler::Mask& mask);

}  // namespace weft::generate
