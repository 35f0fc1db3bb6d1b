/// Listens for processes of a run. Anyone can connect: unauthenticated peers are rejected, and their number affects
/// neither the memory nor the descriptors nor the time of authenticated ones.
///
/// A guest that has not shown its credentials is unauthenticated. There are at most `most` of these at a time: for one
/// more, the one that has made no progress for longest is sent away. Each guest has `deadline` from its connection to
/// the end of its handshake.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/auth/hello.hpp"
#include "host/swarmx/auth/rejected_peers.hpp"
#include "sw/base/failure.hpp"

namespace weft::swarmx {

struct ListenerOptions {
  std::string address = "127.0.0.1";  ///< a number
  std::uint16_t port = 0;             ///< 0: any free one
  std::size_t most = 64;              ///< unauthenticated guests at a time
  std::chrono::milliseconds deadline{5000};
  std::vector<std::uint16_t> other_ports = {};  ///< one after the other, if `port` is taken
};

struct Guests {
  /// Returns why a guest whose hello matches is rejected nevertheless, "node 2 is not one of the 2 nodes here"; empty:
  /// it is let in. A guest that is let in always arrives, even if it is lost by then.
  std::function<std::string(const Hello&)> admit;
  std::function<void(Hello, std::unique_ptr<Channel>)> arrived;
  /// Called with a line for the log now and then; may be null.
  std::function<void(const std::string&)> log;
};

class Listener : public std::enable_shared_from_this<Listener> {
 public:
  /// Must be held by a shared_ptr. One thread runs `executor`, which `run` must outlive. Hellos must match `here`
  /// (`mismatch`). Throws Refusal if it cannot listen there.
  Listener(asio::any_io_executor executor, FirstFailure& run, std::shared_ptr<const Credentials> credentials,
           Hello here, Guests guests, ListenerOptions options);

  std::uint16_t port() const { return port_; }
  /// Lets guests in until `close`; keeps this object alive until then.
  asio::awaitable<void> open();
  /// Sends away guests that have not been let in yet. Also from within `arrived`.
  void close() noexcept;
  const RejectedPeers& rejected_peers() const { return rejected_; }
  /// True if no guest is being let in.
  bool idle() const { return waiting_.empty(); }

 private:
  enum class State : std::uint8_t { Unknown, Known, LetIn, Leaving, Gone };
  struct Guest {
    std::string from, address;
    State state = State::Unknown;
    asio::cancellation_signal leave;
  };
  using Place = std::list<Guest>::iterator;
  struct Heard {
    Secured secured;
    Hello hello;
    std::string refusal;  // empty: it is acceptable
  };
  asio::awaitable<void> accept(std::shared_ptr<Listener> self);
  asio::awaitable<void> run_handshake(Place guest, Socket socket);
  asio::awaitable<void> hear_out(Place guest, Socket socket, Heard& heard);
  asio::awaitable<void> answer(const Secured& to, JoinMessage message, std::string from);
  void send_away(Guest& guest);
  void make_room();
  void count(const std::string& why);

  asio::any_io_executor executor_;
  FirstFailure& run_;
  std::shared_ptr<const Credentials> credentials_;
  Hello here_;
  Guests guests_;
  ListenerOptions options_;
  asio::ip::tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  std::list<Guest> waiting_;  // not arrived yet; the first of the Unknown has made no progress for longest
  RejectedPeers rejected_;
};

}  // namespace weft::swarmx
