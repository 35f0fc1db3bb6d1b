/// One connection of the tree: frames over TCP.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <span>
#include <string>

#include "host/swarmx/error.hpp"
#include "host/swarmx/frame.hpp"

namespace weft {

namespace asio = boost::asio;
using asio::ip::tcp;

class Link {
 public:
  /// `peer` is the name errors use.
  Link(tcp::socket socket, std::string peer);

  /// One reader and one writer at a time. Both throw PeerLost; read also CorruptFrame.
  asio::awaitable<Frame> read();
  asio::awaitable<void> write(const Frame& frame);

  /// Reads and forgets until the peer closes: a connection closed with unread input would take back what was just sent.
  asio::awaitable<void> drain();

  /// The peer says its name first. Throws PeerLost and CorruptFrame.
  asio::awaitable<std::string> read_name();

  const std::string& peer() const { return peer_; }
  void rename(std::string peer) { peer_ = std::move(peer); }
  void close();

 private:
  asio::awaitable<boost::system::error_code> fill(std::span<std::uint8_t> bytes);

  tcp::socket socket_;
  Bytes early_;  ///< of the frames to come: [begin_, end_) arrived with those before
  std::size_t begin_ = 0, end_ = 0;
  std::string peer_;
};

/// Connects to the parent `peer` and says our name. Throws PeerLost.
asio::awaitable<Link> connect(tcp::endpoint to, std::string peer, std::string name);

}  // namespace weft
