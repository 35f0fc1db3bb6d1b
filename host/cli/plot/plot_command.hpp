/// `weft plot RUN`: draws the losses of a run in the terminal, and as SVG.
#pragma once

#include <iosfwd>

#include "host/config/command_line/options.hpp"

namespace weft::cli {

/// Draws the losses of the run in --run; with --other, those of a second run as well. The width is that of the
/// terminal, or 80 columns. Returns 0. Throws Refusal as read_curves does, and if the file of --svg is something else.
int plot_command(const config::Options& options, std::ostream& out);

}  // namespace weft::cli
