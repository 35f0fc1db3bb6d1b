/// Version of this program.
#pragma once

#include <string>

namespace weft::system {

/// "weft 0.1.0, commit be6366a0c1d2, RTL of 4 lanes, with HDF5, PCRE2": the commit of the build, or "unknown" without a
/// git history, the widths of RTL that it simulates, and the optional libraries that it has, or "no optional library".
std::string version_text();

/// "0.1.0, commit be6366a0c1d2". All processes of a run must have the same build.
std::string build_text();

}  // namespace weft::system
