/// Modes of `weft run` other than training: `eval`, `generate` and `compile_only`.
#pragma once

#include <string>
#include <vector>

#include "weft/config.hpp"
#include "weft/export.hpp"
#include "weft/log.hpp"

namespace weft {
inline namespace v0 {

/// Evaluates the checkpoint of the configuration on eval_input. Returns the object that `weft run --mode eval --json`
/// prints. Throws Error.
WEFT_API std::string evaluate(const Config& config, const Log& log = {});

/// Continues the prompts of the configuration (prompt, prompt_tokens, prompts_file) with its checkpoint. Returns each
/// prompt and its continuation: text, or ids with spaces between them for prompt_tokens. Throws Error.
WEFT_API std::vector<std::string> continue_prompts(const Config& config, const Log& log = {});

/// Compiles the network, without data and without a wafer. Returns the lines that `weft run --mode compile_only --json`
/// prints: bytes of a PE, messages, expected cycles, memory. Throws Error.
WEFT_API std::string compile_only(const Config& config, const Log& log = {});

}  // namespace v0
}  // namespace weft
