/// Files that come with the program.
#pragma once

#include <filesystem>

namespace weft {

/// The folder `name` that came with the program: PREFIX/share/weft/NAME where it is installed as PREFIX/bin/weft, and
/// ../NAME of a build in its source tree. Empty if there is none.
std::filesystem::path shared_folder(const char* name);

/// `file` if it is there; else, of a relative one, that of the same name in configs/ that came with the program, if
/// that is there. "configs/gpt_tiny.yaml" and "gpt_tiny.yaml" are found so.
std::filesystem::path parameter_file(const std::filesystem::path& file);

}  // namespace weft
