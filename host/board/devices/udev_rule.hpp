/// The udev rule for the boards' adapters (fpga/70-weft-boards.rules): its location and installation.
#pragma once

#include <filesystem>
#include <string>

#include "host/board/devices/system_folders.hpp"

namespace weft::board {

/// True if one of udev's folders contains the rule.
bool udev_rule_is_installed(const SystemFolders& system);

/// Commands that install and activate the rule: "sudo cp ... && sudo udevadm ...".
std::string udev_rule_commands();

}  // namespace weft::board
