#include "host/board/devices/open_refusal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstring>

#include "host/board/devices/device_access.hpp"
#include "host/board/devices/udev_rule.hpp"

namespace weft::board {
namespace {

constexpr const char* kDriver = "ftdi_sio";

/// Hint for a device that does not exist: its adapter may have another name, or no driver.
std::string absent_hint(const SystemFolders& system) {
  std::string lines;
  for (const UsbCable& cable : find_cables(system.sys())) {
    for (const UsbInterface& interface : cable.interfaces)
      if (!interface.tty.empty()) lines += fmt::format("{}/dev/{}", lines.empty() ? "" : ", ", interface.tty);
    const UsbInterface* line = cable.line();
    if (line != nullptr && line->driver.empty())
      return fmt::format("the adapter at USB {} has no serial driver: {}", cable.place, rebind_hint(*line, system));
  }
  if (!lines.empty()) return fmt::format("adapters of boards are at {}: name one of them", lines);
  return "plug the board in, or name another device; weft board lists the devices found";
}

std::string busy_hint(const std::string& path, const SystemFolders& system) {
  const std::vector<std::string> who = holders(system.proc(), path);
  if (who.empty()) return "end the other program that has the device open; sudo fuser -v " + path + " names it";
  return fmt::format("end the other program that has the device open: {}", fmt::join(who, ", "));
}

}  // namespace

std::string permission_hint(const std::string& path, const SystemFolders& system) {
  const DeviceAccess access = device_access(path);
  if (access.group_may && access.group != "root") {
    if (access.member) return fmt::format("you are in the group {}, but not in this login: log in again", access.group);
    return fmt::format("add yourself to the group {} (sudo usermod -aG {} $USER), and log in again", access.group,
                       access.group);
  }
  if (udev_rule_is_installed(system))
    return "the udev rule is installed, but not in force: sudo udevadm control --reload && sudo udevadm trigger, or "
           "unplug the board and plug it in again";
  return fmt::format("install the udev rule: {}", udev_rule_commands());
}

std::string rebind_hint(const UsbInterface& interface, const SystemFolders& system) {
  std::error_code error;
  if (!std::filesystem::exists(system.sys() / "bus/usb/drivers" / kDriver, error))
    return fmt::format("load the driver: sudo modprobe {}", kDriver);
  return fmt::format(
      "unplug the board and plug it in again, or: echo {} | sudo tee /sys/bus/usb/drivers/{}/bind (a bitstream without "
      "FLASH=1 is lost with the power)",
      interface.name, kDriver);
}

Refusal open_refusal(const std::string& path, int error, const SystemFolders& system) {
  const std::string problem = path + ": " + std::strerror(error);
  switch (error) {
    case EACCES:
    case EPERM:
      return {"fpga.device", problem, permission_hint(path, system)};
    case EBUSY:
      return {"fpga.device", problem, busy_hint(path, system)};
    case EIO:
    case ENODEV:
    case ENXIO:
      return {"fpga.device", problem, "the adapter does not answer: unplug the board and plug it in again"};
    case ENOENT:
      return {"fpga.device", problem, absent_hint(system)};
    default:
      return {"fpga.device", problem, "name another device; weft board lists the devices found"};
  }
}

}  // namespace weft::board
