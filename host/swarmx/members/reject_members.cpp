#include "host/swarmx/members/reject_members.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <string>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/link/link.hpp"
#include "sw/base/failure.hpp"

namespace weft::swarmx {
namespace {

constexpr std::chrono::seconds kLeast{5};  // silence after which a peer is given up

/// Sends Stop, and waits until the peer has closed the connection.
asio::awaitable<void> send_stop(std::unique_ptr<Channel> channel, std::function<void()> rejected) {
  Link link(std::move(channel), "a rejected peer", kLeast);
  try {
    co_await link.write({.type = FrameType::Stop});
    for (;;) co_await link.read();
  } catch (const SwarmError&) {
  }
  rejected();
}

asio::awaitable<void> end_after(asio::io_context& io, std::chrono::milliseconds time) {
  asio::steady_timer timer(io, time);
  co_await timer.async_wait(asio::use_awaitable);
  io.stop();
}

}  // namespace

void reject_members(std::shared_ptr<const Credentials> credentials, Hello here, const ListenerOptions& options,
                    std::size_t count, std::chrono::milliseconds time) {
  FirstFailure failure;
  asio::io_context io{1};
  const auto rejected = [&] {
    if (--count == 0) io.stop();
  };
  Guests guests;
  guests.admit = [](const Hello&) { return std::string(); };
  guests.arrived = [&](const Hello&, std::unique_ptr<Channel> channel) {
    asio::co_spawn(io, send_stop(std::move(channel), rejected), failure.ending());
  };
  const auto listener = std::make_shared<Listener>(io.get_executor(), failure, std::move(credentials), std::move(here),
                                                   std::move(guests), options);
  asio::co_spawn(io, listener->open(), failure.ending());
  asio::co_spawn(io, end_after(io, time), failure.ending());
  io.run();
  listener->close();
  failure.check();
}

}  // namespace weft::swarmx
