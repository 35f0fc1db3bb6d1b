#include "host/generate/use_cache.hpp"

#include <algorithm>

#include "sw/base/refusal.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::generate {

bool keeps(const config::Config& config, std::size_t tokens) {
  const config::RunConfig& run = config.runconfig;
  const auto window = static_cast<std::size_t>(config.model.seq);
  if (run.use_cache == "never" || tokens > window) return false;
  return run.use_cache == "always" || std::min<std::size_t>(run.max_new_tokens, window - tokens + 1) >= tokens;
}

std::optional<compiler::Plan> decode_plan(const config::Config& config, const compiler::Mask& mask) {
  const std::string& use = config.runconfig.use_cache;
  if (use == "never") return {};
  try {
    return compiler::compile_decode(config.model, config.wafer, mask);
  } catch (const Refusal& e) {
    if (use == "auto") return {};
    throw config.error("runconfig.use_cache", "always, but " + e.subject() + ": " + e.problem(), e.hint());
  }
}

}  // namespace weft::generate
