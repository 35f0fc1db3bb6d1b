/// Version of this program.
#pragma once

#include <string>

namespace weft::system {

/// "weft 0.1.0, commit be6366a0c1d2, RTL of 4 lanes": the commit of the build, or "unknown" without a git history, and
/// the widths of RTL that it simulates.
std::string version_text();

/// "0.1.0, commit be6366a0c1d2". All processes of a run must have the same build.
std::string build_text();

}  // namespace weft::system
