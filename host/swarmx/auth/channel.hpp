/// A connection that bytes go over both ways, for coroutines: plain, or sealed (tls_channel.hpp).
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

namespace weft {

/// What an operation is told, so that it returns its error, and what else it has, instead of throwing.
inline constexpr auto kAsResult = asio::as_tuple(asio::use_awaitable);

/// Which end of a connection this is.
enum class JoinSide : std::uint8_t { Connects, Listens };

/// One reader and one writer at a time, both on the socket's executor, which one thread runs.
///
/// Errors are returned, so that whoever has a name for the peer throws. The end of the connection is an error, eof, and
/// says nothing about whether all was said: a frame does. After an error, or after a write that was cancelled, the
/// channel is only good for closing.
class Channel {
 public:
  virtual ~Channel() = default;
  /// At least `least` bytes, and as many more as are here, up to all of `into`. 1 <= least <= into.size().
  virtual asio::awaitable<Received> read(std::span<std::uint8_t> into, std::size_t least) = 0;
  /// All of `buffers`, one after the other; they and what they point to must stay until it returns.
  virtual asio::awaitable<boost::system::error_code> write(std::span<const asio::const_buffer> buffers) = 0;
  /// Who reads or writes gets an error, and so does the peer once it has read what is on its way.
  virtual void close() noexcept = 0;
};

/// What goes over `socket` is neither hidden nor protected: for socket pairs within a process, and after MUNGE.
std::unique_ptr<Channel> plain_channel(Socket socket);

}  // namespace weft
