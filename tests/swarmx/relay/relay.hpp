/// A relay between who connects and a port, on the loopback: a network that can be made slow, silent, wrong or absent.
///
///   delay MS      each chunk arrives so much later
///   rate BYTES    a second, of each connection; 0: as fast as it goes
///   cut           closes all connections now; later ones are let through
///   hold, go      stops forwarding and keeps connections open; goes on
///   corrupt       flips a bit of the next byte that goes
///   after N cut | hold | corrupt      when N more bytes have gone that way, of all connections together
///
/// "up" before a command: only towards the target; "down": only back; neither: each way by itself.
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

namespace weft {

class Relay : public std::enable_shared_from_this<Relay> {
 public:
  using Seen = std::function<void(bool up, std::span<const std::uint8_t> bytes)>;
  /// Held by a shared_ptr. Listens on `listen`, 0: any port. One thread runs `executor`, which `failure` must outlive.
  /// `seen` gets all that is forwarded; may be null.
  Relay(asio::any_io_executor executor, FirstFailure& failure, std::uint16_t listen, std::uint16_t target,
        Seen seen = {});

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  /// Begins to let through.
  void start();
  /// Does one line; returns what is wrong with it, or nothing. On the executor's thread.
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

}  // namespace weft
