#include "host/swarmx/auth/sockets.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <cstring>
#include <string_view>

namespace weft::swarmx {
namespace {

constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kSend = std::size_t{1} << 20;      // bytes given to the kernel at once
constexpr std::size_t kSmall = 4096;                     // bytes; fewer are read without a low-water mark
constexpr std::size_t kTogether = std::size_t{1} << 18;  // bytes; the largest low-water mark

/// Returns an address without its port; empty: of another family.
std::string_view address(const asio::generic::stream_protocol::endpoint& end) {
  const auto* const bytes = reinterpret_cast<const char*>(end.data());
  if (end.protocol().family() == AF_INET) return {bytes + offsetof(sockaddr_in, sin_addr), sizeof(in_addr)};
  if (end.protocol().family() == AF_INET6) return {bytes + offsetof(sockaddr_in6, sin6_addr), sizeof(in6_addr)};
  return {};
}

bool within_machine(const Socket& socket) {
  boost::system::error_code here, there;
  const auto local = socket.local_endpoint(here), remote = socket.remote_endpoint(there);
  return !here && !there && !address(local).empty() && address(local) == address(remote);
}

/// Wakes a waiting reader only when so many bytes are available, or no more follow.
boost::system::error_code wake_at(Socket& socket, std::size_t bytes) {
  boost::system::error_code error;
  socket.set_option(asio::socket_base::receive_low_watermark(static_cast<int>(bytes)), error);
  return error;
}

}  // namespace

std::string address_text(const std::string& host, std::uint16_t port) {
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

void prepare(Socket& socket) {
  boost::system::error_code ignored;  // from a socket pair, which never delays
  socket.set_option(asio::ip::tcp::no_delay(true), ignored);
}

void unpace(Socket& socket) {
  constexpr std::string_view kUnpaced = "reno";  // in every kernel, and allowed for all users
  if (within_machine(socket))
    ::setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_CONGESTION, kUnpaced.data(), kUnpaced.size());
}

asio::awaitable<Received> receive(Socket& socket, std::span<std::uint8_t> into, std::size_t least) {
  Received received;
  for (;;) {
    const auto rest = into.subspan(received.size);
    const auto [error, size] = co_await socket.async_read_some(asio::buffer(rest.data(), rest.size()), kAsTuple);
    received.size += size;
    received.error = error;
    if (error || received.size >= least) co_return received;
    const std::size_t missing = std::min(least - received.size, kTogether);
    if (missing < kSmall || wake_at(socket, missing)) continue;
    const auto [lost] = co_await socket.async_wait(Socket::wait_read, kAsTuple);
    const auto again = wake_at(socket, 1);  // the next message may be small
    received.error = lost ? lost : again;
    if (received.error) co_return received;
  }
}

asio::awaitable<boost::system::error_code> send(Socket& socket, std::span<const asio::const_buffer> buffers) {
  const auto all = [](const boost::system::error_code& error, std::size_t) { return error ? 0 : kSend; };
  const auto [error, size] = co_await asio::async_write(socket, buffers, all, kAsTuple);
  co_return error;
}

}  // namespace weft::swarmx
