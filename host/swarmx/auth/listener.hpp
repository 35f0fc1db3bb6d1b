/// Where processes of a run come in. Anybody can knock: who is none of us is sent away, and neither memory nor
/// descriptors nor time of those who are depend on how many are not.
///
/// A guest that has not shown its credentials is a stranger. There are at most `most` strangers at a time: one more,
/// and the one that has made no progress for longest is sent away. Each guest has `deadline` from its connection to the
/// end of its greeting.
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
#include "host/swarmx/auth/greeting.hpp"
#include "host/swarmx/auth/strangers.hpp"
#include "sw/base/failure.hpp"

namespace weft {

struct ListenerOptions {
  std::string address = "127.0.0.1";  ///< a number
  std::uint16_t port = 0;             ///< 0: any that is free
  std::size_t most = 64;              ///< strangers at a time
  std::chrono::milliseconds deadline{5000};
  std::vector<std::uint16_t> other_ports = {};  ///< one after the other, if `port` is taken
};

struct Guests {
  /// Why one whose greeting matches is not let in all the same, "node 2 is none of the 2 nodes here"; empty: it is. Who
  /// is let in arrives, even if it is lost by then.
  std::function<std::string(const Greeting&)> admit;
  std::function<void(Greeting, std::unique_ptr<Channel>)> arrived;
  /// A line for the log, now and then; may be null.
  std::function<void(const std::string&)> log;
};

class Listener : public std::enable_shared_from_this<Listener> {
 public:
  /// Held by a shared_ptr. One thread runs `executor`, which `run` must outlive. `here`: what greetings must match
  /// (`mismatch`). Throws Refusal if it cannot listen there.
  Listener(asio::any_io_executor executor, FirstFailure& run, std::shared_ptr<const Credentials> credentials,
           Greeting here, Guests guests, ListenerOptions options);

  std::uint16_t port() const { return port_; }
  /// Lets in until `close`; keeps itself until then.
  asio::awaitable<void> open();
  /// Sends away who has not been let in yet. Also from within `arrived`.
  void close() noexcept;
  const Strangers& strangers() const { return strangers_; }
  /// Nobody is on the way in.
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
    Greeting greeting;
    std::string refusal;  // empty: nothing is wrong with it
  };
  asio::awaitable<void> accept(std::shared_ptr<Listener> self);
  asio::awaitable<void> greet(Place guest, Socket socket);
  asio::awaitable<void> hear_out(Place guest, Socket socket, Heard& heard);
  asio::awaitable<void> answer(const Secured& to, JoinMessage message, std::string from);
  void send_away(Guest& guest);
  void make_room();
  void count(const std::string& why);

  asio::any_io_executor executor_;
  FirstFailure& run_;
  std::shared_ptr<const Credentials> credentials_;
  Greeting here_;
  Guests guests_;
  ListenerOptions options_;
  asio::ip::tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  std::list<Guest> waiting_;  // not arrived yet; of the Unknown, the first has made no progress for longest
  Strangers strangers_;
};

}  // namespace weft
