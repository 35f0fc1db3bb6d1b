/// A relay between clients and a port, on the loopback: a network that can be made slow, silent, faulty or absent.
///
///   delay MS      delays each chunk by this time
///   rate BYTES    limits each connection to this many bytes a second; 0: unlimited
///   cut           closes all present connections; later ones are forwarded
///   hold, go      stops forwarding and keeps connections open; resumes forwarding
///   corrupt       flips a bit of the next forwarded byte
///   after N cut | hold | corrupt      acts after N more bytes in that direction, over all connections
///
/// "up" before a command: only toward the target; "down": only back; neither: each direction separately.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>

#include "sw/base/failure.hpp"
#include "tests/swarmx/relay/way.hpp"

namespace weft::swarmx {

class Relay : public std::enable_shared_from_this<Relay> {
 public:
  using Seen = std::function<void(bool up, std::span<const std::uint8_t> bytes)>;
  /// Held by a shared_ptr. Listens on `listen`, 0: any port. One thread runs `executor`, which `failure` must outlive.
  /// `seen` gets all forwarded bytes; may be null.
  Relay(asio::any_io_executor executor, FirstFailure& failure, std::uint16_t listen, std::uint16_t target,
        Seen seen = {});

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  /// Starts to forward.
  void start();
  /// Executes one line; returns its error, or nothing. To be called on the executor's thread.
  std::string command(const std::string& line);
  void stop();

 private:
  struct Connection {
    explicit Connection(const asio::any_io_executor& executor) : client(executor), target(executor) {}
    asio::ip::tcp::socket client, target;
  };
  using Shared = std::shared_ptr<Connection>;
  asio::awaitable<void> accept();
  asio::awaitable<void> connect(Shared connection);
  asio::awaitable<void> forward(Shared connection, bool up);
  void cut();

  asio::any_io_executor executor_;
  FirstFailure& failure_;
  asio::ip::tcp::acceptor acceptor_;
  std::uint16_t target_;
  Seen seen_;
  Way up_, down_;
  std::list<std::weak_ptr<Connection>> connections_;
};

}  // namespace weft::swarmx
