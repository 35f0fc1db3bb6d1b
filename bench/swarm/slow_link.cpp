#include "bench/swarm/slow_link.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <stdexcept>
#include <utility>

#include "sw/base/failure.hpp"
#include "tests/swarmx/relay/relay.hpp"

namespace weft::bench {
namespace {

namespace asio = boost::asio;

std::uint16_t free_port() {
  asio::io_context io;
  return asio::ip::tcp::acceptor(io, {asio::ip::address_v4::loopback(), 0}).local_endpoint().port();
}

/// Executes the commands in turn, one each second, after SIGUSR1.
asio::awaitable<void> take_turns(std::shared_ptr<swarmx::Relay> relay, std::string slow, std::string again) {
  const auto executor = co_await asio::this_coro::executor;
  asio::signal_set signals(executor, SIGUSR1);
  co_await signals.async_wait(asio::use_awaitable);
  asio::steady_timer timer(executor);
  for (;;) {
    if (const std::string error = relay->command(slow); !error.empty()) throw std::logic_error(error);
    if (again.empty()) co_return;
    timer.expires_after(std::chrono::seconds(1));
    co_await timer.async_wait(asio::use_awaitable);
    std::swap(slow, again);
  }
}

void forward(std::uint16_t from, std::uint16_t to, const std::string& slow, const std::string& again) {
  asio::io_context io{1};
  FirstFailure failure{[&io] { io.stop(); }};
  const auto relay = std::make_shared<swarmx::Relay>(io.get_executor(), failure, from, to);
  relay->start();
  asio::co_spawn(io, take_turns(relay, slow, again), failure.ending());
  io.run();
  failure.check();
}

}  // namespace

SlowLink::SlowLink(std::string slow, std::string again)
    : port_(free_port()),
      process_(std::make_unique<JoiningProcess>([this, slow = std::move(slow), again = std::move(again)](
                                                    std::uint16_t target) { forward(port_, target, slow, again); })) {}

std::uint16_t SlowLink::start(std::uint16_t target) {
  process_->join(target);
  for (;;) {  // until the process listens
    asio::io_context io;
    asio::ip::tcp::socket socket(io);
    boost::system::error_code error;
    socket.connect({asio::ip::address_v4::loopback(), port_}, error);
    if (!error) return port_;
  }
}

void SlowLink::make_slow() const { process_->signal(SIGUSR1); }

}  // namespace weft::bench
