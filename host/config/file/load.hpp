/// Reads a parameter file and the command line's overrides into a configuration.
#pragma once

#include <string>
#include <vector>

#include "host/config/config.hpp"

namespace weft::config {

/// Reads and checks a parameter file. A relative data_dir or checkpoint_path is relative to the folder of the parameter
/// file (on the command line: to the current folder). If the file does not exist, one installed with the program may be
/// used (shared_files.hpp). Throws Refusal.
Config load_config(const std::string& name, const std::vector<Override>& overrides = {});

/// Parses the text of a parameter file named `file`. Throws Refusal.
Config parse_config(const std::string& text, const std::string& file, const std::vector<Override>& overrides = {});

}  // namespace weft::config
