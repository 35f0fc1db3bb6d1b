/// What this program is.
#pragma once

#include <string>

namespace weft {

/// "weft 0.1.0, commit be6366a0c1d2, RTL of 4 lanes": the commit it was built of, "unknown" without a history, and the
/// widths of RTL it simulates.
std::string version_text();

/// "0.1.0, commit be6366a0c1d2": all processes of a run are of one.
std::string build_text();

}  // namespace weft
