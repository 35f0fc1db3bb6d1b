/// A bidirectional connection of bytes, for coroutines: plain, or encrypted (tls_channel.hpp).
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "host/swarmx/auth/sockets.hpp"

namespace weft::swarmx {

/// Completion token with which an operation returns its error and its results instead of throwing.
inline constexpr auto kAsResult = asio::as_tuple(asio::use_awaitable);

/// Role of this process in a connection.
enum class JoinSide : std::uint8_t { Connects, Listens };

/// One reader and one writer at a time, both on the socket's executor, which one thread runs.
///
/// Errors are returned, so that a caller that has a name for the peer can throw. The end of the connection is an error,
/// eof, and does not show that everything was sent: a frame does. After an error, or after a cancelled write, the
/// channel can only be closed.
class Channel {
 public:
  virtual ~Channel() = default;
  /// Reads at least `least` bytes, and as many more as are available, up to all of `into`. 1 <= least <= into.size().
  virtual asio::awaitable<Received> read(std::span<std::uint8_t> into, std::size_t least) = 0;
  /// Writes all of `buffers`, one after the other; they and what they point to must stay until it returns.
  virtual asio::awaitable<boost::system::error_code> write(std::span<const asio::const_buffer> buffers) = 0;
  /// Makes readers and writers fail, and the peer as well once it has read what is in flight.
  virtual void close() noexcept = 0;
};

/// Makes a channel that neither hides nor protects its bytes: for socket pairs within a process, and after MUNGE.
std::unique_ptr<Channel> plain_channel(Socket socket);

}  // namespace weft::swarmx
