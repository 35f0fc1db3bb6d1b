/// `weft board [DEVICE]`: finds boards, checks them, and prints a remedy for each failure.
#pragma once

#include <iosfwd>

#include "host/board/system_folders.hpp"
#include "host/config/options.hpp"

namespace weft {

/// Without --device: adapters at USB and boards in the network; with it: that device alone. Returns 0 if a board was
/// found and nothing failed, else 1. Throws Refusal of an option.
int board_command(const Options& options, std::ostream& out, const board::SystemFolders& system = {});

}  // namespace weft
