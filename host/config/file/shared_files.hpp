/// Files installed with the program or the library.
#pragma once

#include <filesystem>

namespace weft::config {

/// Folder `name` installed with the program or with libweft.so: PREFIX/share/weft/NAME for PREFIX/bin/weft,
/// PREFIX/lib/libweft.so and PREFIX/lib/MACHINE/libweft.so; share/weft/NAME next to the library in a Python package; or
/// ../NAME for a build in its source tree. Empty if there is none.
std::filesystem::path shared_folder(const char* name);

/// Returns `file` if it exists. Otherwise, for a relative path, the file of that name in the installed configs/, if it
/// exists; both "configs/gpt_tiny.yaml" and "gpt_tiny.yaml" are found there. Otherwise `file`.
std::filesystem::path parameter_file(const std::filesystem::path& file);

}  // namespace weft::config
