/// `weft debug --params FILE --phase NAME`: a wafer from a phase on, instruction by instruction, forwards and
/// backwards.
#pragma once

#include <iosfwd>

#include "host/look/waves.hpp"

namespace weft {

/// The functional model if wafer.backend is set to it, else the RTL. Options: phase, step, wafer as `waves`; script: a
/// file of commands, else they are read from `in`, with a prompt and line editing if it is a terminal. Returns 1 if a
/// script's line failed. Throws Refusal.
int debug_live(const Config& config, const Options& options, std::istream& in, bool terminal, std::ostream& out);

}  // namespace weft
