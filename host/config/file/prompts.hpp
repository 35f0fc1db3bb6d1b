/// Reads prompts from a file.
#pragma once

#include "host/config/config.hpp"

namespace weft {

/// Replaces runconfig.prompt by the nonempty lines of runconfig.prompts_file, if that is given. Throws Refusal.
void read_prompts(Config& config);

}  // namespace weft
