/// `weft configs`: what each parameter file of a folder takes.
#pragma once

#include <iosfwd>

#include "host/config/arguments.hpp"

namespace weft {

/// A line a file, in order of parameters: parameters, bytes of MemoryX and of a PE, wafers, expected time of a step and
/// of the run, and by what a micro-batch is bound, as mode compile_only says it; `--json`: an object a line. A folder
/// is that of `in`, or configs/ as it came with the program. Keys that are typed change each file. A file that is
/// refused has its line on `errors`, and the exit code is 2. Throws Refusal if there is no such file.
int configs_command(const Arguments& arguments, std::ostream& out, std::ostream& errors);

}  // namespace weft
