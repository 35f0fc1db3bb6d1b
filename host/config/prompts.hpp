/// Prompts in a file.
#pragma once

#include "host/config/config.hpp"

namespace weft {

/// runconfig.prompt becomes the lines of runconfig.prompts_file, if that is given; empty ones are left out. Throws
/// Refusal.
void read_prompts(Config& config);

}  // namespace weft
