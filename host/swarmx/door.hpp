/// Where wafers of other processes come in. Anybody can knock: who is not waited for is sent away, and nobody waits for
/// who says nothing.
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
#include <vector>

#include "host/swarmx/link.hpp"
#include "sw/base/failure.hpp"

namespace weft {

class Door : public std::enable_shared_from_this<Door> {
 public:
  /// Who comes, by its place in `names`, and its connection.
  using Welcome = std::function<void(std::size_t, Link)>;

  /// Listens on the loopback. `run` must outlive the executor. Throws boost::system::system_error.
  Door(asio::any_io_executor executor, FirstFailure& run, std::vector<std::string> names, Welcome welcome);

  std::uint16_t port() const { return port_; }
  /// Lets in until all have come, each of whom says its name within `silence`. Throws PeerLost that names who is
  /// missing after `timeout`.
  asio::awaitable<void> open(std::chrono::milliseconds timeout, std::chrono::milliseconds silence);

 private:
  using Guest = std::shared_ptr<Link>;
  asio::awaitable<void> accept(std::chrono::milliseconds silence);
  static asio::awaitable<void> greet(std::shared_ptr<Door> self, std::list<Guest>::iterator guest);
  void admit(const std::string& name, Link& link);
  std::string missing() const;

  asio::any_io_executor executor_;
  FirstFailure& run_;
  std::vector<std::string> names_;
  Welcome welcome_;
  asio::ip::tcp::acceptor acceptor_;
  std::uint16_t port_;
  std::vector<bool> here_;   // [name]
  std::size_t absent_;       // names that are not here
  std::list<Guest> guests_;  // who has not said its name yet
  std::size_t strangers_ = 0;
  std::string last_stranger_;          // what was wrong with it
  boost::system::error_code trouble_;  // of the last accept
};

}  // namespace weft
