/// Debuggers of the library.
#pragma once

#include "host/programs/replay.hpp"
#include "weft/debugger.hpp"

namespace weft::library {

/// A debugger at the beginning of a run. Throws Refusal.
Debugger make_debugger(programs::Replay run);

}  // namespace weft::library
