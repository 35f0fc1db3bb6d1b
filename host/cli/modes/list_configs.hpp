/// `weft configs`: lists the requirements of each parameter file in a folder.
#pragma once

#include <iosfwd>

#include "host/config/command_line/arguments.hpp"

namespace weft::cli {

/// Prints a line per file, sorted by the number of parameters: parameters, bytes of MemoryX and of a PE, wafers,
/// expected time of a step and of the run, and the bound of a micro-batch, as in mode compile_only. `--json`: an object
/// per line. The folder is `in`, or the configs/ supplied with the program. Keys on the command line override each
/// file. Rejected files are reported on `errors`, and the exit code is then 2. Throws Refusal if there is no such file.
int configs_command(const config::Arguments& arguments, std::ostream& out, std::ostream& errors);

}  // namespace weft::cli
