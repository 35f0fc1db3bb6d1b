#include "host/board/device.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "host/board/emulator.hpp"
#include "host/board/lines/serial_line.hpp"
#include "host/board/lines/udp_line.hpp"
#include "host/board/link/session.hpp"
#include "sw/base/refusal.hpp"

namespace weft::board {
namespace {

constexpr std::string_view kUdp = "udp:";

/// A UDP port of this machine that is free at the moment.
std::string free_port() {
  const Descriptor fd(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw Refusal("fpga.device", "no free UDP port", "use fpga.device emulated");
  return std::to_string(ntohs(address.sin_port));
}

}  // namespace

std::filesystem::path emulator_program() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "weft-board";
}

Device open_device(const std::string& name, int baud, const std::filesystem::path& emulator) {
  if (name.starts_with(kUdp)) return {std::make_unique<UdpLine>(name.substr(kUdp.size())), nullptr};
  if (name != "emulated" && name != "emulated:udp") return {std::make_unique<SerialLine>(name, baud), nullptr};
  std::vector<std::string> arguments;
  std::string udp;
  if (name == "emulated:udp") {
    const std::string port = free_port();
    arguments = {"--udp", port};
    udp = "127.0.0.1:" + port;
  }
  auto process = std::make_shared<Emulator>(emulator, std::move(arguments));
  if (!udp.empty()) return {std::make_unique<UdpLine>(udp), process};
  return {std::make_unique<SerialLine>(process->device(), baud), process};
}

std::string silence_hint(const std::string& name, int baud, std::uint64_t bytes) {
  if (name.starts_with(kUdp))
    return "check the board's power, bitstream and address, and that no other host uses the board; weft board " + name +
           " tests all of these";
  if (bytes > 0)
    return fmt::format(
        "bytes arrived, but no frame: the bitstream was built for a rate other than fpga.baud {}, or another device is "
        "at {}; weft board {} tries other rates",
        baud, name, name);
  return fmt::format(
      "check the board's power, that the bitstream is built for fpga.baud {}, and that no other host uses the board; "
      "weft board {} tests all of these",
      baud, name);
}

MetBoard meet_board(const std::string& name, int baud, const std::filesystem::path& emulator) {
  Device device = open_device(name, baud, emulator);
  const Line& line = *device.line;
  Session session(std::move(device.line));
  try {
    const DeviceInfo& info = session.open();
    return {info, line.settings()};
  } catch (const BoardLost& lost) {
    if (session.link().other_version())
      throw Refusal("fpga.device", lost.what(), "load a bitstream of this version: make flash BOARD=its name");
    throw Refusal("fpga.device", lost.what(), silence_hint(name, baud, line.bytes_up()));
  }
}

}  // namespace weft::board
