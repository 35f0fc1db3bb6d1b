/// Sockets of connections, set and used so that both sides are woken seldom: of a large payload that costs as much as
/// the copy.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace weft {

namespace asio = boost::asio;
using Socket = asio::generic::stream_protocol::socket;

/// "n1:20000", "[::1]:20000".
std::string address_text(const std::string& host, std::uint16_t port);

/// Nothing waits for more to be sent with it. What a socket cannot do stays as it was, here and below.
void prepare(Socket& socket);
/// What stays within the machine is sent as fast as it is taken. Congestion control `bbr` sends by the clock, for the
/// sake of others on the way; here are none, and half of the speed is lost.
void unpace(Socket& socket);

struct Received {
  boost::system::error_code error;
  std::size_t size = 0;  ///< bytes in `into`; at least `least`, unless there is an error
};
/// At least `least` bytes, and as many more as are here, up to all of `into`. 1 <= least <= into.size(). Takes what is
/// here, then waits for all that is missing, to be woken once.
asio::awaitable<Received> receive(Socket& socket, std::span<std::uint8_t> into, std::size_t least);

/// All of `buffers`, one after the other; they and what they point to must stay until it returns.
asio::awaitable<boost::system::error_code> send(Socket& socket, std::span<const asio::const_buffer> buffers);

}  // namespace weft
