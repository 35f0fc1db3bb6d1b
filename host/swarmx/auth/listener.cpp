#include "host/swarmx/auth/listener.hpp"

#include <fmt/format.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <iterator>
#include <optional>
#include <utility>

#include "host/swarmx/auth/auth_error.hpp"
#include "host/swarmx/auth/handshake.hpp"
#include "host/swarmx/auth/sockets.hpp"
#include "host/swarmx/base/deadline.hpp"
#include "sw/base/refusal.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;

constexpr auto kAcceptRetry = 50ms;  // after a failed accept, whose cause may pass

std::string name_of(const tcp::socket& socket) {
  boost::system::error_code error;
  const tcp::endpoint from = socket.remote_endpoint(error);
  return error ? "a peer that has disconnected" : "a peer at " + address_text(from.address().to_string(), from.port());
}

std::string sent_away(const std::string& from) { return from + " was disconnected without a hello"; }

std::string address_of(const tcp::socket& socket) {
  boost::system::error_code error;
  const tcp::endpoint from = socket.remote_endpoint(error);
  return error ? "" : from.address().to_string();
}

}  // namespace

Listener::Listener(asio::any_io_executor executor, FirstFailure& run, std::shared_ptr<const Credentials> credentials,
                   Hello here, Guests guests, ListenerOptions options)
    : executor_(std::move(executor)),
      run_(run),
      credentials_(std::move(credentials)),
      here_(std::move(here)),
      guests_(std::move(guests)),
      options_(std::move(options)),
      acceptor_(executor_) {
  std::vector<std::uint16_t> ports = options_.other_ports;
  ports.insert(ports.begin(), options_.port);
  for (std::size_t i = 0;; ++i) {
    try {
      const tcp::endpoint at(asio::ip::make_address(options_.address), ports[i]);
      acceptor_ = tcp::acceptor(executor_, at);
      port_ = acceptor_.local_endpoint().port();
      return;
    } catch (const boost::system::system_error& error) {
      if (error.code() == asio::error::address_in_use && i + 1 < ports.size()) continue;
      throw Refusal(address_text(options_.address, ports[i]), "cannot listen there: " + error.code().message(),
                    i == 0 ? "give a number that is an address of this machine, and a port that is free"
                           : fmt::format("set MASTER_PORT to a free one for all ranks; {} more are taken", i));
    }
  }
}

asio::awaitable<void> Listener::open() { return accept(shared_from_this()); }

asio::awaitable<void> Listener::accept(std::shared_ptr<Listener> self) {
  while (acceptor_.is_open()) {
    auto [error, socket] = co_await acceptor_.async_accept(kAsResult);
    if (!acceptor_.is_open()) break;
    if (error == asio::error::operation_aborted) throw boost::system::system_error(error);  // a deadline of the caller
    if (error) {
      count("a connection that could not be accepted: " + error.message());
      asio::steady_timer pause(executor_, kAcceptRetry);
      co_await pause.async_wait(asio::use_awaitable);
      continue;
    }
    make_room();
    waiting_.emplace_back();
    const Place guest = std::prev(waiting_.end());
    guest->from = name_of(socket);
    guest->address = address_of(socket);
    const auto gone = [self, guest](std::exception_ptr failure) {
      guest->state = State::Gone;
      self->run_.set(std::move(failure));
      // A cancellation may still be in the executor's queue: the guest that it refers to must stay until then.
      asio::post(self->executor_, [self, guest] { self->waiting_.erase(guest); });
    };
    asio::co_spawn(executor_, run_handshake(guest, Socket(std::move(socket))),
                   asio::bind_cancellation_slot(guest->leave.slot(), gone));
  }
}

void Listener::close() noexcept {
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  for (Guest& guest : waiting_) {
    if (guest.state < State::LetIn) send_away(guest);
  }
  if (const std::string line = rejected_.last_line(); guests_.log && !line.empty()) guests_.log(line);
}

void Listener::send_away(Guest& guest) {
  guest.state = State::Leaving;
  guest.leave.emit(asio::cancellation_type::terminal);
}

void Listener::make_room() {
  std::size_t unknown = 0;
  for (const Guest& guest : waiting_) unknown += guest.state == State::Unknown ? 1 : 0;
  for (auto guest = waiting_.begin(); unknown >= options_.most && guest != waiting_.end(); ++guest) {
    if (guest->state != State::Unknown) continue;
    send_away(*guest);
    --unknown;
  }
}

void Listener::count(const std::string& why) {
  rejected_.add(why);
  if (const std::string line = rejected_.line(std::chrono::steady_clock::now()); guests_.log && !line.empty())
    guests_.log(line);
}

asio::awaitable<void> Listener::hear_out(Place guest, Socket socket, Heard& heard) {
  std::function<void()> progress = [this, guest] { waiting_.splice(waiting_.end(), waiting_, guest); };
  heard.secured = co_await credentials_->secure(std::move(socket), JoinSide::Listens, guest->from, std::move(progress));
  if (!heard.secured.proof && guest->state == State::Unknown) guest->state = State::Known;
  try {
    const JoinMessage message = co_await receive_message(heard.secured, guest->from);
    heard.hello = decode_hello(message, here_.version, guest->from);
    heard.refusal = mismatch(here_, heard.hello);
  } catch (const AuthError& why) {  // reported to the peer
    heard.refusal = RejectedPeers::summary(why.what());
  }
}

/// Sends the answer. Failure to receive it harms only the peer.
asio::awaitable<void> Listener::answer(const Secured& to, JoinMessage message, std::string from) {
  try {
    auto saying = send_message(to, std::move(message), std::move(from));
    co_await within(options_.deadline, std::move(saying));
  } catch (const SwarmError&) {
  }
}

asio::awaitable<void> Listener::run_handshake(Place guest, Socket socket) {
  const std::string from = guest->from;
  try {
    Heard heard;
    auto hearing = hear_out(guest, std::move(socket), heard);
    const bool in_time = co_await within(options_.deadline, std::move(hearing));
    if (!in_time) throw PeerLost(fmt::format("{} sent no hello within {} ms", from, options_.deadline.count()));
    if (guest->state == State::Leaving) throw PeerLost(from);
    if (heard.refusal.empty()) heard.refusal = guests_.admit(heard.hello);
    if (!heard.refusal.empty()) {
      co_await answer(heard.secured, encode_rejection(heard.refusal), from);
      const std::string& name = heard.hello.name;  // empty: it was not read
      throw AuthError(name.empty() ? heard.refusal.starts_with(from) ? heard.refusal : from + ": " + heard.refusal
                                   : fmt::format("{} that claims to be {}: {}", from, name, heard.refusal));
    }
    guest->state = State::LetIn;
    co_await answer(heard.secured, {MessageKind::Welcome, {}}, from);
    heard.hello.from = guest->address;
    guests_.arrived(std::move(heard.hello), std::move(heard.secured.channel));
  } catch (const SwarmError& error) {
    count(guest->state == State::Leaving ? sent_away(from) : error.what());
  } catch (const boost::system::system_error& error) {  // data arrived just as the guest was cancelled
    if (guest->state != State::Leaving || error.code() != asio::error::operation_aborted) throw;
    count(sent_away(from));
  }
}

}  // namespace weft::swarmx
