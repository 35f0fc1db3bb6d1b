/// Errors for serial devices that cannot be opened, with a hint for each reason.
#pragma once

#include <string>

#include "host/board/devices/system_folders.hpp"
#include "host/board/devices/usb_cables.hpp"
#include "sw/base/refusal.hpp"

namespace weft::board {

/// Refusal of fpga.device for the device `path` with `error` (errno of open, flock or ioctl).
Refusal open_refusal(const std::string& path, int error, const SystemFolders& system = {});

/// Hint for a device without access permission: the group to join, or the udev rule to install.
std::string permission_hint(const std::string& path, const SystemFolders& system = {});

/// Hint for an adapter without a serial driver, as openFPGALoader may leave it: how to rebind the driver.
std::string rebind_hint(const UsbInterface& interface, const SystemFolders& system = {});

}  // namespace weft::board
