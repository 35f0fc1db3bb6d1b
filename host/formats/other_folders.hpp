/// Error messages for folders of weights in formats that Weft does not read.
#pragma once

#include <string>

#include "sw/base/refusal.hpp"

namespace weft::formats {

/// The error for a folder without a config.json: names its contents, and a remedy.
Refusal other_folder(const std::string& folder);

/// The error for a folder with a config.json but without safetensors.
Refusal no_safetensors(const std::string& folder);

}  // namespace weft::formats
