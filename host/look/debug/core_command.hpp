/// `weft debug FILE.weftcore`: a core dump in the debugger.
#pragma once

#include <iosfwd>

#include "host/config/options.hpp"

namespace weft {

/// Options: core, the file; script as debug_live; tile: prints the state of that tile, and that is all. Without tile
/// the report comes first, and then whatever the commands ask for. Returns 1 if a script's line failed. Throws Refusal.
int debug_core(const Options& options, std::istream& in, bool terminal, std::ostream& out);

}  // namespace weft
