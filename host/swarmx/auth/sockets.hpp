/// Socket options and transfers with which both sides are rarely woken: for a large payload, a wakeup costs as much as
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

namespace weft::swarmx {

namespace asio = boost::asio;
using Socket = asio::generic::stream_protocol::socket;

/// "n1:20000", "[::1]:20000".
std::string address_text(const std::string& host, std::uint16_t port);

/// Disables the delay that combines small messages (Nagle). Options that a socket does not have are ignored, here and
/// below.
void prepare(Socket& socket);
/// Disables pacing of connections within the machine. Congestion control `bbr` paces for the sake of other traffic on
/// the path; here there is none, and pacing would halve the throughput.
void unpace(Socket& socket);

struct Received {
  boost::system::error_code error;
  std::size_t size = 0;  ///< bytes in `into`; at least `least`, unless there is an error
};
/// Receives at least `least` bytes, and as many more as are available, up to all of `into`. 1 <= least <= into.size().
/// Takes what is available, then waits for all missing bytes with a single wakeup.
asio::awaitable<Received> receive(Socket& socket, std::span<std::uint8_t> into, std::size_t least);

/// Sends all of `buffers`, one after the other; they and what they point to must stay until it returns.
asio::awaitable<boost::system::error_code> send(Socket& socket, std::span<const asio::const_buffer> buffers);

}  // namespace weft::swarmx
