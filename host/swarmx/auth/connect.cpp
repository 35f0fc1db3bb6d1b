#include "host/swarmx/auth/connect.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <optional>
#include <utility>

#include "host/swarmx/auth/auth_error.hpp"
#include "host/swarmx/auth/handshake.hpp"
#include "host/swarmx/auth/sockets.hpp"
#include "host/swarmx/base/deadline.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;

constexpr std::chrono::milliseconds kFirstPause = 20ms, kLongestPause = 500ms;
/// Time limit for a program that accepts the connection at one of several ports; doubles each time, for slow machines.
constexpr std::chrono::milliseconds kFirstPatience = 1s, kLongestPatience = 8s;
constexpr const char* kSilent = "the listener accepts the connection, but sends nothing";

/// Connection attempts, one after the other, until one succeeds or is rejected.
class Attempts {
 public:
  Attempts(std::string host, std::vector<std::uint16_t> ports, std::shared_ptr<const Credentials> credentials,
           Hello hello)
      : host_(std::move(host)),
        ports_(std::move(ports)),
        credentials_(std::move(credentials)),
        hello_(std::move(hello)) {}

  /// Destination of the attempts: "n1:20000", "n1 at ports 20000, 20001".
  std::string peers() const {
    if (ports_.size() == 1) return peer(ports_.front());
    return fmt::format("{} at ports {}", host_, fmt::join(ports_, ", "));
  }
  /// Reason why there is no channel so far.
  const std::string& trouble() const { return trouble_; }

  asio::awaitable<Joined> make() {
    asio::steady_timer pause(co_await asio::this_coro::executor);
    for (auto time = kFirstPause;; time = std::min(time * 3 / 2, kLongestPause)) {
      for (const std::uint16_t port : ports_) {
        std::string trouble;
        std::unique_ptr<Channel> channel;
        if (ports_.size() == 1) {
          channel = co_await once(port, trouble);
        } else {
          channel = co_await soon(port, trouble);
        }
        if (channel) co_return Joined{std::move(channel), port};
        const auto state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() == asio::cancellation_type::none) note(port, trouble);  // a timeout is no reason
        if (!resolved_) break;
      }
      pause.expires_after(time);
      co_await pause.async_wait(asio::use_awaitable);
    }
  }

 private:
  std::string peer(std::uint16_t port) const { return address_text(host_, port); }

  /// Keeps the most telling trouble: among several ports, that of a port with a listener.
  void note(std::uint16_t port, const std::string& trouble) {
    if (ports_.size() == 1) {
      trouble_ = trouble;
    } else if (somebody_) {
      trouble_ = trouble.starts_with(peer(port)) ? trouble : fmt::format("{}: {}", port, trouble);
    } else if (!met_somebody_) {
      trouble_ = trouble;
    }
    met_somebody_ |= somebody_;
  }

  /// `once` with a time limit: any program may be at this port.
  asio::awaitable<std::unique_ptr<Channel>> soon(std::uint16_t port, std::string& trouble) {
    try {
      const auto begin = std::chrono::steady_clock::now();
      auto attempt = once(port, trouble);
      auto channel = co_await within(patience_, std::move(attempt));
      if (channel && *channel) co_return std::move(*channel);
      if (channel && std::chrono::steady_clock::now() - begin < patience_) co_return nullptr;
      patience_ = std::min(2 * patience_, kLongestPatience);
      trouble = somebody_ ? kSilent : "the host does not answer";
    } catch (const OtherRunError& other) {
      trouble = without_hint(other.what());
    } catch (const AuthError& why) {
      if (secured_) throw;
      trouble = without_hint(why.what());
    }
    co_return nullptr;
  }

  static std::string without_hint(std::string text) {
    text.resize(std::min(text.size(), text.find(". HINT")));
    return text;
  }

  /// Returns null, and the reason, if another attempt may succeed.
  asio::awaitable<std::unique_ptr<Channel>> once(std::uint16_t port, std::string& trouble) {
    somebody_ = secured_ = false;
    const std::string peer = this->peer(port);
    const auto executor = co_await asio::this_coro::executor;
    tcp::resolver resolver(executor);
    auto [unresolved, endpoints] = co_await resolver.async_resolve(host_, std::to_string(port), kAsResult);
    if (unresolved == asio::error::operation_aborted) throw boost::system::system_error(unresolved);
    trouble = unresolved.message();
    resolved_ = !unresolved;
    if (unresolved) co_return nullptr;
    tcp::socket socket(executor);
    auto [unconnected, endpoint] = co_await asio::async_connect(socket, endpoints, kAsResult);
    if (unconnected == asio::error::operation_aborted) throw boost::system::system_error(unconnected);
    trouble = unconnected.message();
    if (unconnected) co_return nullptr;
    somebody_ = true;
    if (ports_.size() == 1) trouble_ = kSilent;
    try {
      std::function<void()> no_progress;
      auto secured =
          co_await credentials_->secure(Socket(std::move(socket)), JoinSide::Connects, peer, std::move(no_progress));
      co_await send_message(secured, encode_hello(hello_), peer);
      const JoinMessage answer = co_await receive_message(secured, peer);
      secured_ = true;
      check_welcome(answer, peer);
      co_return std::move(secured.channel);
    } catch (const PeerLost& lost) {  // it had no room for us, or is ending
      trouble = without_hint(lost.what());
    }
    co_return nullptr;
  }

  std::string host_;
  std::vector<std::uint16_t> ports_;
  std::shared_ptr<const Credentials> credentials_;
  Hello hello_;
  std::string trouble_ = "the host does not answer";
  std::chrono::milliseconds patience_ = kFirstPatience;
  // State of this attempt: the host has an address, the connection is open, the hello is answered.
  bool resolved_ = false, somebody_ = false, secured_ = false;
  bool met_somebody_ = false;  // in an earlier attempt
};

}  // namespace

asio::awaitable<Joined> connect_to_one_of(std::string address, std::vector<std::uint16_t> ports,
                                          std::shared_ptr<const Credentials> credentials, Hello hello,
                                          std::chrono::milliseconds deadline) {
  Attempts attempts(std::move(address), std::move(ports), std::move(credentials), std::move(hello));
  auto making = attempts.make();
  auto joined = co_await within(deadline, std::move(making));
  if (joined) co_return std::move(*joined);
  throw PeerLost(fmt::format(
      "no connection to {} within {:g} s: {}. HINT: check that the process there was started, the address, and "
      "firewalls in between.",
      attempts.peers(), std::chrono::duration<double>(deadline).count(), attempts.trouble()));
}

asio::awaitable<std::unique_ptr<Channel>> connect_to(std::string address, std::uint16_t port,
                                                     std::shared_ptr<const Credentials> credentials, Hello hello,
                                                     std::chrono::milliseconds deadline) {
  std::vector<std::uint16_t> ports(1, port);
  auto joining =
      connect_to_one_of(std::move(address), std::move(ports), std::move(credentials), std::move(hello), deadline);
  Joined joined = co_await std::move(joining);
  co_return std::move(joined.channel);
}

}  // namespace weft::swarmx
