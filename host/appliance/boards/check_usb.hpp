/// Checks of the boards' USB adapters that are plugged in: rights, serial driver, latency timer, udev rule.
#pragma once

#include <string>
#include <vector>

#include "host/appliance/boards/findings.hpp"
#include "host/board/system_folders.hpp"

namespace weft {

struct UsbBoards {
  bool any = false;                  ///< an adapter is plugged in
  std::vector<std::string> lines{};  ///< serial lines that may be opened and may be boards'
};

/// Checks each adapter, and the udev rule if there is one.
UsbBoards check_usb(const board::SystemFolders& system, Findings& findings);

}  // namespace weft
