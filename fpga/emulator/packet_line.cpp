#include "fpga/emulator/packet_line.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace weft::emulator {
namespace {

constexpr std::size_t kMostHosts = 65536;  // that a board's line can distinguish

}  // namespace

PacketLine::PacketLine(int port) : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (socket_ < 0 || ::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::system_error(errno, std::generic_category(), "UDP port " + std::to_string(port));
  port_ = ntohs(address.sin_port);
}

PacketLine::~PacketLine() { ::close(socket_); }

std::string PacketLine::device() const { return "udp:127.0.0.1:" + std::to_string(port_); }

std::vector<Piece> PacketLine::read() {
  std::vector<Piece> pieces;
  std::uint8_t bytes[2048];
  sockaddr_in from{};
  for (int i = 0; i < 64; ++i) {
    socklen_t size = sizeof from;
    const ssize_t n = ::recvfrom(socket_, bytes, sizeof bytes, 0, reinterpret_cast<sockaddr*>(&from), &size);
    if (n <= 0) break;
    const auto length = static_cast<std::size_t>(n);
    const int who = number(from);
    if (who >= 0) pieces.push_back({{bytes, bytes + length}, who});
  }
  return pieces;
}

void PacketLine::write(const Piece& piece) {
  const sockaddr_in& to = hosts_[static_cast<std::size_t>(piece.from)];
  // If the host does not take the packet, it is lost.
  (void)::sendto(socket_, piece.bytes.data(), piece.bytes.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
}

int PacketLine::number(const sockaddr_in& address) {
  const auto same = [&](const sockaddr_in& a) {
    return a.sin_port == address.sin_port && a.sin_addr.s_addr == address.sin_addr.s_addr;
  };
  const auto found = std::ranges::find_if(hosts_, same);
  const auto index = static_cast<int>(found - hosts_.begin());
  if (found == hosts_.end() && hosts_.size() == kMostHosts) return -1;
  if (found == hosts_.end()) hosts_.push_back(address);
  return index;
}

}  // namespace weft::emulator
