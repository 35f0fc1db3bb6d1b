/// Where wafers of other processes come in, at any time. Anybody can knock: who is not let in is sent away, and nobody
/// waits for who says nothing.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>

#include "host/swarmx/link.hpp"
#include "sw/base/failure.hpp"

namespace weft {

class Door : public std::enable_shared_from_this<Door> {
 public:
  /// Takes who comes, by name. Throws SwarmError: it is not let in.
  using Welcome = std::function<void(const std::string& name, Link link)>;

  /// Listens on the loopback. `run` must outlive the executor. Throws boost::system::system_error.
  Door(asio::any_io_executor executor, FirstFailure& run, Welcome welcome);

  std::uint16_t port() const { return port_; }
  /// Lets in whoever says its name within `silence`, until `close`.
  asio::awaitable<void> open(std::chrono::milliseconds silence);
  void close() noexcept;
  /// Who came and was not let in; empty if nobody.
  std::string strangers() const;

 private:
  using Guest = std::shared_ptr<Link>;
  static constexpr std::size_t kMostGuests = 64;
  static asio::awaitable<void> greet(std::shared_ptr<Door> self, std::list<Guest>::iterator guest);

  asio::any_io_executor executor_;
  FirstFailure& run_;
  Welcome welcome_;
  asio::ip::tcp::acceptor acceptor_;
  std::uint16_t port_;
  std::list<Guest> guests_;  // who has not said its name yet
  std::size_t strangers_ = 0;
  std::string last_stranger_;          // what was wrong with it
  boost::system::error_code trouble_;  // of the last accept
};

}  // namespace weft
