/// The udev rule of the boards' adapters (fpga/70-weft-boards.rules): where it is, and whether it is in force.
#pragma once

#include <filesystem>
#include <string>

#include "host/board/system_folders.hpp"

namespace weft::board {

/// The folder of udev that has the rule, or none.
bool udev_rule_is_installed(const SystemFolders& system);

/// The commands that put the rule in force: "sudo cp ... && sudo udevadm ...".
std::string udev_rule_commands();

}  // namespace weft::board
