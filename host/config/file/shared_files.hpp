/// Files installed with the program.
#pragma once

#include <filesystem>

namespace weft::config {

/// Folder `name` installed with the program: PREFIX/share/weft/NAME for PREFIX/bin/weft, or ../NAME for a build in its
/// source tree. Empty if there is none.
std::filesystem::path shared_folder(const char* name);

/// Returns `file` if it exists. Otherwise, for a relative path, the file of that name in the installed configs/, if it
/// exists; both "configs/gpt_tiny.yaml" and "gpt_tiny.yaml" are found there. Otherwise `file`.
std::filesystem::path parameter_file(const std::filesystem::path& file);

}  // namespace weft::config
