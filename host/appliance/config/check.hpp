/// Parts of check_config that have a file of their own.
#pragma once

#include "host/appliance/config/config.hpp"

namespace weft {

/// Checkpoints and params.yaml name the paths of a run, and both are UTF-8. Throws Refusal if a path is not, or has a
/// NUL.
void check_paths(const Config& config);

/// runconfig.prompt becomes the lines of runconfig.prompts_file, if that is given; empty ones are left out. Throws
/// Refusal.
void read_prompts(Config& config);

}  // namespace weft
