/// Checks the boards' USB adapters that are plugged in: permissions, serial driver, latency timer, udev rule.
#pragma once

#include <string>
#include <vector>

#include "host/board/devices/system_folders.hpp"
#include "host/cli/boards/findings.hpp"

namespace weft::cli {

struct UsbBoards {
  bool any = false;                  ///< an adapter is plugged in
  std::vector<std::string> lines{};  ///< accessible serial lines that may belong to boards
};

/// Checks each adapter, and the udev rule if there is an adapter.
UsbBoards check_usb(const board::SystemFolders& system, Findings& findings);

}  // namespace weft::cli
