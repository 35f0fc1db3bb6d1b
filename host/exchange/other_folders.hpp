/// Folders of weights that other programs write, and Weft does not read.
#pragma once

#include <string>

#include "sw/base/refusal.hpp"

namespace weft {

/// The refusal of a folder that has no config.json: names what is in it, and what to do.
Refusal other_folder(const std::string& folder);

/// The refusal of a folder with a config.json that has no safetensors.
Refusal no_safetensors(const std::string& folder);

}  // namespace weft
