/// `weft board [DEVICE]`: finds boards, checks them, and prints a remedy for each failure.
#pragma once

#include <iosfwd>

#include "host/board/devices/system_folders.hpp"
#include "host/config/command_line/options.hpp"

namespace weft::cli {

/// Checks the USB adapters and the boards on the network, or only --device if given. Returns 0 if a board was found and
/// nothing failed, otherwise 1. Throws Refusal of an option.
int board_command(const config::Options& options, std::ostream& out, const board::SystemFolders& system = {});

}  // namespace weft::cli
