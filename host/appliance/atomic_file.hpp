/// Files that are never half written.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// Makes `path` hold `bytes`: a temporary file beside it, fsync, rename, fsync of the folder. Whenever the program or
/// the machine stops, the file is the old one or the new one. Throws std::runtime_error with the path and the reason;
/// the temporary file is gone then.
void replace_file(const std::string& path, std::string_view bytes);

}  // namespace weft
