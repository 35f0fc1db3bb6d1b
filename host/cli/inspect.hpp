/// The commands that `weft-inspect` adds to those of `weft`.
#pragma once

#include "host/cli/commands.hpp"

namespace weft::cli {

/// Commands waves, profile, check, debug, bisect and fingerprint, and traced runs.
Inspection inspection();

}  // namespace weft::cli
