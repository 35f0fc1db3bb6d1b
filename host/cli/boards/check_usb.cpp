#include "host/cli/boards/check_usb.hpp"

#include <fmt/format.h>

#include "host/board/devices/device_access.hpp"
#include "host/board/devices/network_boards.hpp"
#include "host/board/devices/open_refusal.hpp"
#include "host/board/devices/udev_rule.hpp"
#include "host/board/devices/usb_cables.hpp"
#include "host/board/lines/serial_latency.hpp"

namespace weft::cli {
namespace {

using board::UsbCable;
using board::UsbInterface;

void check_loader(const UsbCable& cable, const board::SystemFolders& system, Findings& findings) {
  const std::filesystem::path node = system.dev() / cable.node;
  const board::DeviceAccess access = board::device_access(node);
  if (access.may_open)
    findings.good(fmt::format("openFPGALoader {} may open the adapter ({})", cable.known->loader, node.string()));
  else if (!access.exists)
    findings.failure(fmt::format("{} does not exist", node.string()),
                     "in a container: pass the device on (--device /dev/bus/usb); else unplug the board and plug it in "
                     "again");
  else
    findings.failure(fmt::format("openFPGALoader may not open the adapter ({})", node.string()),
                     board::permission_hint(node.string(), system));
}

void check_timer(const std::filesystem::path& node, const board::SystemFolders& system, Findings& findings) {
  const auto timer = board::latency_timer(system.sys(), node);
  if (!timer) return;
  if (*timer <= 1)
    findings.good(fmt::format("latency timer {} ms", *timer));
  else
    findings.note(
        fmt::format("latency timer {} ms: a short answer waits this long; a run requests low latency", *timer),
        board::udev_rule_is_installed(system) ? "unplug the board and plug it in again: its udev rule sets 1 ms"
                                              : board::udev_rule_commands());
}

/// Path of the serial line, or empty if this user may not open it.
std::string check_serial(const UsbInterface& line, const board::SystemFolders& system, Findings& findings) {
  if (line.tty.empty()) {
    findings.failure(line.driver.empty() ? "the adapter has no serial driver, as after make flash"
                                         : fmt::format("the adapter's driver {} provides no serial line", line.driver),
                     board::rebind_hint(line, system));
    return {};
  }
  const std::filesystem::path node = system.dev() / line.tty;
  const board::DeviceAccess access = board::device_access(node);
  if (!access.exists) {
    findings.failure(fmt::format("{} does not exist", node.string()),
                     "in a container: pass the device on (--device " + node.string() + ")");
    return {};
  }
  if (!access.may_open) {
    findings.failure(fmt::format("{} may not be opened", node.string()), board::permission_hint(node.string(), system));
    return {};
  }
  findings.good(fmt::format("{} may be opened (driver {}, group {})", node.string(), line.driver, access.group));
  check_timer(node, system, findings);
  return node.string();
}

}  // namespace

UsbBoards check_usb(const board::SystemFolders& system, Findings& findings) {
  UsbBoards boards;
  for (const UsbCable& cable : board::find_cables(system.sys())) {
    boards.any = true;
    findings.begin("usb", cable.place,
                   fmt::format("{}, {} {}, perhaps of a board {}{}",
                               cable.product.empty() ? "an adapter" : cable.product, cable.known->chip, cable.known->id,
                               cable.known->title, cable.serial.empty() ? "" : ", serial number " + cable.serial));
    check_loader(cable, system, findings);
    if (const UsbInterface* line = cable.line()) {
      if (std::string node = check_serial(*line, system, findings); !node.empty()) boards.lines.push_back(node);
    } else if (cable.known->serial_interface >= 0) {
      findings.failure("the adapter does not show its serial interface", "unplug the board and plug it in again");
    } else if (!board::in_our_networks(board::kUsualAddress, system)) {
      findings.note("such a board uses Ethernet, but this machine is not in the network of the board's usual address",
                    fmt::format("sudo ip addr add 192.168.1.1/24 dev eth0 (your network card's name), then weft board "
                                "udp:{}",
                                board::kUsualAddress));
    }
  }
  if (boards.any && !board::udev_rule_is_installed(system)) {
    findings.begin("rule", "udev", "the rule for boards' adapters is not installed");
    findings.note("without the rule only root and the groups of the system's own rules may open the adapters",
                  board::udev_rule_commands());
  }
  return boards;
}

}  // namespace weft::cli
