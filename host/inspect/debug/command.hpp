/// `weft debug --params FILE --phase NAME`: debugs a wafer from the start of a phase, instruction by instruction,
/// forwards and backwards.
#pragma once

#include <iosfwd>

#include "host/inspect/waves.hpp"

namespace weft::inspect {

/// Debugs the functional model if wafer.backend is set to it, otherwise the RTL. Options: phase, step and wafer as for
/// `waves`; script: a file of commands. Without a script, commands are read from `in`, with a prompt and line editing
/// if `in` is a terminal. `progress`, if given, displays the progress before the first command. Returns 1 if a line of
/// a script failed. Throws Refusal.
int debug_live(const config::Config& config, const config::Options& options, std::istream& in, bool terminal,
               std::ostream& out, system::Progress* progress = nullptr);

}  // namespace weft::inspect
