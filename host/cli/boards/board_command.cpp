#include "host/cli/boards/board_command.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>
#include <utility>

#include "host/board/device.hpp"
#include "host/board/devices/network_boards.hpp"
#include "host/board/lines/udp_line.hpp"
#include "host/board/probe.hpp"
#include "host/cli/boards/bitstreams.hpp"
#include "host/cli/boards/check_line.hpp"
#include "host/cli/boards/check_usb.hpp"
#include "host/cli/boards/findings.hpp"
#include "sw/base/refusal.hpp"

namespace weft::cli {
namespace {

constexpr auto kPatience = std::chrono::milliseconds(500);  // for an address that may have no board

LineCheck line_check(const config::Options& options) {
  const std::uint64_t baud = config::number(options, "baud", 2000000);
  if (baud < 50 || baud > 12000000)
    throw Refusal("--baud", fmt::format("{} is not a rate from 50 to 12000000", baud),
                  "leave it out: boards are built for 2000000");
  const std::filesystem::path program = board::emulator_program();
  return {.baud = static_cast<int>(baud),
          .emulator = program,
          .tree = program.parent_path().parent_path(),
          .bitstreams = bitstream_folders()};
}

/// Returns the devices of the boards that answer on the network, at addresses that this machine knows, including those
/// of its bitstreams.
std::vector<std::string> network_boards(const board::SystemFolders& system,
                                        const std::vector<std::filesystem::path>& bitstreams) {
  std::vector<std::string> devices, known;
  for (const auto& folder : bitstreams)
    for (const Bitstream& bitstream : find_bitstreams(folder)) known.push_back(bitstream.ip);
  for (const std::string& address : board::possible_addresses(system, std::move(known))) {
    board::UdpLine line(address);
    const board::Answer answer = board::request_device_info(line, kPatience);
    if (answer.info || answer.version || answer.bytes > 0) devices.push_back("udp:" + address);
  }
  return devices;
}

}  // namespace

int board_command(const config::Options& options, std::ostream& out, const board::SystemFolders& system) {
  const LineCheck check = line_check(options);
  Findings findings(out, options.contains("json"));
  bool found = false;
  if (options.contains("device")) {
    const std::string device = config::option(options, "device", "");
    if (device.empty()) throw Refusal("--device", "is empty", "name one, e.g. /dev/ttyUSB0 or udp:192.168.1.50");
    found = check_line(device, check, findings);
  } else {
    std::vector<std::string> devices = check_usb(system, findings).lines;
    for (std::string& device : network_boards(system, check.bitstreams)) devices.push_back(std::move(device));
    for (const std::string& device : devices) found |= check_line(device, check, findings);
  }
  if (!found) {
    findings.begin("none", "boards", "no board has answered");
    if (!findings.failed())
      findings.failure(
          "no adapter of a board is plugged in, and no board is in the network",
          "ULX3S: plug its port US1 in; ECPIX-5: its network cable, and sudo ip addr add 192.168.1.1/24 dev "
          "eth0; or name a device: weft board /dev/ttyUSB0, weft board udp:ADDRESS, weft board emulated");
  }
  return found && !findings.failed() ? 0 : 1;
}

}  // namespace weft::cli
