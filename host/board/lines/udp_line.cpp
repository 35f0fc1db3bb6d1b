#include "host/board/lines/udp_line.hpp"

#include <netdb.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include "host/board/lines/poll_line.hpp"
#include "sw/base/refusal.hpp"

namespace weft::board {
namespace {

struct Address {
  std::string host, port;
};

/// A single colon precedes a port; several mean an IPv6 address, which needs brackets to have a port.
Address parse(const std::string& text) {
  const std::string port = std::to_string(kDefaultPort);
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end != std::string::npos && end + 1 == text.size()) return {text.substr(1, end - 1), port};
    if (end != std::string::npos && text[end + 1] == ':') return {text.substr(1, end - 1), text.substr(end + 2)};
  }
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || text.find(':', colon + 1) != std::string::npos) return {text, port};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

/// Checks the range here, because the system would silently truncate port 70000 to 4464.
bool is_port(const std::string& text) {
  std::uint32_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port >= 1 && port <= 65535;
}

Refusal refused(const std::string& name, const std::string& why) {
  return {"fpga.device", name + ": " + why, "write udp:ADDRESS or udp:ADDRESS:PORT, e.g. udp:192.168.1.5"};
}

}  // namespace

UdpLine::UdpLine(const std::string& address) : name_("udp:" + address) {
  const Address where = parse(address);
  if (where.host.empty() || where.port.empty()) throw refused(name_, "has no address");
  if (!is_port(where.port)) throw refused(name_, where.port + " is not a port, a number from 1 to 65535");
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  if (const int error = ::getaddrinfo(where.host.c_str(), where.port.c_str(), &wanted, &found); error != 0)
    throw refused(name_, ::gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, &::freeaddrinfo);
  fd_ = Descriptor(::socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (fd_.get() < 0 || ::connect(fd_.get(), found->ai_addr, found->ai_addrlen) != 0)
    throw refused(name_, std::strerror(errno));
}

void UdpLine::send(std::span<const std::uint8_t> frame) {
  // A packet that the system does not accept is lost like any other and is resent.
  if (::send(fd_.get(), frame.data(), frame.size(), 0) > 0) down_ += frame.size();
}

bool UdpLine::receive(Bytes& frame, Time until) {
  std::array<std::uint8_t, kMostFrame + 1> packet;
  for (;;) {
    const ssize_t count = ::recv(fd_.get(), packet.data(), packet.size(), 0);
    if (count >= 0) {
      up_ += static_cast<std::uint64_t>(count);
      frame.assign(packet.begin(), packet.begin() + count);
      return true;
    }
    const bool nothing = errno == EAGAIN || errno == EWOULDBLOCK;  // else no peer, which may change
    const Time time = now();
    if (time >= until) return false;
    if (nothing) wait_for(fd_.get(), false, time, until);
  }
}

}  // namespace weft::board
