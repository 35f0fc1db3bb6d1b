/// `weft debug FILE.weftcore`: opens a core dump in the debugger.
#pragma once

#include <iosfwd>

#include "host/config/command_line/options.hpp"

namespace weft::inspect {

/// Options: core: the file; script: as for debug_live; tile: only print the state of that tile. Without tile, prints
/// the report first and then runs the commands. Returns 1 if a line of a script failed. Throws Refusal.
int debug_core(const config::Options& options, std::istream& in, bool terminal, std::ostream& out);

}  // namespace weft::inspect
