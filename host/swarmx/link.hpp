/// One connection of the tree as its parent's side, or a node, has it: frames over a stream socket, in coroutines.
///
/// A leaf's side is wire.hpp. Inside a process the socket is one of a pair that nobody else can reach, and payloads go
/// beside it (handover.hpp).
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <chrono>
#include <span>
#include <string>

#include "host/swarmx/error.hpp"
#include "host/swarmx/frame.hpp"
#include "host/swarmx/handover.hpp"

namespace weft {

namespace asio = boost::asio;
using Socket = asio::generic::stream_protocol::socket;

class Link {
 public:
  /// `peer` is the name errors use. `silence`: how long it may say nothing; 0 within a process, where that is no sign.
  Link(Socket socket, std::string peer, std::chrono::milliseconds silence, Hands hands = {});

  /// One reader and one writer at a time. Both throw PeerLost; read also CorruptFrame. With a limit of silence, Alive
  /// is heard and not returned.
  asio::awaitable<Frame> read();
  asio::awaitable<void> write(const Frame& frame);

  /// The peer says its name first. Throws as `read`.
  asio::awaitable<std::string> read_name();

  const std::string& peer() const { return peer_; }
  void rename(std::string peer) { peer_ = std::move(peer); }
  /// How often to say Alive; 0: never.
  std::chrono::milliseconds pulse() const { return silence_ / 6; }
  /// Who reads or writes gets PeerLost.
  void close() noexcept;

 private:
  asio::awaitable<Frame> next(std::size_t most);
  asio::awaitable<Frame> hear(std::size_t most);
  asio::awaitable<boost::system::error_code> fill(std::span<std::uint8_t> bytes);

  Socket socket_;
  Bytes early_;  ///< of the frames to come: [begin_, end_) arrived with those before
  std::size_t begin_ = 0, end_ = 0;
  std::string peer_;
  std::chrono::milliseconds silence_;
  Hands hands_;
};

/// "1.5 s"
std::string seconds(std::chrono::milliseconds time);
/// Throws PeerLost: it closed its connection, or what `error` says.
[[noreturn]] void lost(const std::string& peer, const boost::system::error_code& error);
/// Throws PeerLost: it "has said nothing" or "has taken nothing" for so long.
[[noreturn]] void silent(const std::string& peer, const char* what, std::chrono::milliseconds time);

}  // namespace weft
