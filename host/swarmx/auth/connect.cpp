#include "host/swarmx/auth/connect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <optional>
#include <utility>

#include "host/swarmx/auth/refused.hpp"
#include "host/swarmx/auth/talk.hpp"
#include "host/swarmx/deadline.hpp"

namespace weft {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;

constexpr std::chrono::milliseconds kFirstPause = 20ms, kLongestPause = 500ms;

/// One after the other, until one succeeds or is refused.
class Attempts {
 public:
  Attempts(std::string host, std::uint16_t port, std::shared_ptr<const Credentials> credentials, Greeting greeting)
      : host_(std::move(host)),
        port_(std::to_string(port)),
        peer_(host_ + ":" + port_),
        credentials_(std::move(credentials)),
        greeting_(std::move(greeting)) {}

  const std::string& peer() const { return peer_; }
  /// Why there is no channel so far.
  const std::string& trouble() const { return trouble_; }

  asio::awaitable<std::unique_ptr<Channel>> make() {
    asio::steady_timer pause(co_await asio::this_coro::executor);
    for (auto time = kFirstPause;; time = std::min(time * 3 / 2, kLongestPause)) {
      std::string trouble;
      if (auto channel = co_await once(trouble)) co_return channel;
      const auto state = co_await asio::this_coro::cancellation_state;
      if (state.cancelled() == asio::cancellation_type::none) trouble_ = trouble;  // not that time was over
      pause.expires_after(time);
      co_await pause.async_wait(asio::use_awaitable);
    }
  }

 private:
  /// Null, and why, if another attempt may succeed.
  asio::awaitable<std::unique_ptr<Channel>> once(std::string& trouble) {
    const auto executor = co_await asio::this_coro::executor;
    tcp::resolver resolver(executor);
    auto [unresolved, places] = co_await resolver.async_resolve(host_, port_, kAsResult);
    trouble = unresolved.message();
    if (unresolved) co_return nullptr;
    tcp::socket socket(executor);
    auto [unconnected, place] = co_await asio::async_connect(socket, places, kAsResult);
    trouble = unconnected.message();
    if (unconnected) co_return nullptr;
    trouble_ = "it takes the connection and says nothing";
    try {
      std::function<void()> no_progress;
      auto secured =
          co_await credentials_->secure(Socket(std::move(socket)), JoinSide::Connects, peer_, std::move(no_progress));
      co_await say(secured, encode_greeting(greeting_), peer_);
      check_welcome(co_await hear(secured, peer_), peer_);
      co_return std::move(secured.channel);
    } catch (const PeerLost& lost) {  // it had no place for us, or ends
      trouble = lost.what();
      trouble.resize(std::min(trouble.size(), trouble.find(". HINT")));
    }
    co_return nullptr;
  }

  std::string host_, port_, peer_;
  std::shared_ptr<const Credentials> credentials_;
  Greeting greeting_;
  std::string trouble_ = "it does not answer";
};

}  // namespace

asio::awaitable<std::unique_ptr<Channel>> connect_to(std::string address, std::uint16_t port,
                                                     std::shared_ptr<const Credentials> credentials, Greeting greeting,
                                                     std::chrono::milliseconds deadline) {
  Attempts attempts(std::move(address), port, std::move(credentials), std::move(greeting));
  auto making = attempts.make();
  auto channel = co_await within(deadline, std::move(making));
  if (channel) co_return std::move(*channel);
  throw PeerLost(
      fmt::format("no connection to {} within {:g} s: {}. HINT: look whether it was started, for its address, "
                  "and for a firewall between.",
                  attempts.peer(), std::chrono::duration<double>(deadline).count(), attempts.trouble()));
}

}  // namespace weft
