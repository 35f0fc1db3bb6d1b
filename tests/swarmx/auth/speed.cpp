/// Prints the cost of a channel's encryption: swarmx_auth_speed [frames]. Sends frames of 1 MiB over the loopback from
/// one thread to another, plain and through TLS, each three times, then handshakes one after another.
#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "host/swarmx/auth/tls_channel.hpp"
#include "sw/base/failure.hpp"

namespace weft::swarmx {
namespace {

using Clock = std::chrono::steady_clock;
using asio::ip::tcp;

constexpr std::size_t kFrame = std::size_t{1} << 20, kHeader = 48;  // bytes

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::shared_ptr<const TlsContext> context() {
  static const auto made = std::make_shared<const TlsContext>(std::vector<std::uint8_t>(32, 1));
  return made;
}

asio::awaitable<std::unique_ptr<Channel>> channel(Socket socket, JoinSide side, bool sealed) {
  if (!sealed) co_return plain_channel(std::move(socket));
  std::function<void()> no_progress;
  co_return co_await tls_channel(context(), std::move(socket), side, "the other", std::move(no_progress));
}

asio::awaitable<void> send(Socket socket, bool sealed, int frames) {
  const auto to = co_await channel(std::move(socket), JoinSide::Connects, sealed);
  const std::vector<std::uint8_t> header(kHeader), payload(kFrame);
  for (int n = 0; n < frames; ++n) {
    const std::array<asio::const_buffer, 2> buffers{asio::buffer(header), asio::buffer(payload)};
    if (co_await to->write(buffers)) throw std::runtime_error("the frame was not sent");
  }
}

asio::awaitable<void> receive(Socket socket, bool sealed, int frames, double& seconds) {
  const auto from = co_await channel(std::move(socket), JoinSide::Listens, sealed);
  std::vector<std::uint8_t> frame(kHeader + kFrame);
  const auto start = Clock::now();
  for (int n = 0; n < frames; ++n) {
    const auto read = co_await from->read(frame, frame.size());
    if (read.error) throw std::runtime_error("the frame did not arrive");
  }
  seconds = since(start);
}

/// Seconds for `frames`, from one thread to another.
double transfer(bool sealed, int frames) {
  asio::io_context here(1), there(1);
  FirstFailure failure;
  tcp::acceptor place(there, {asio::ip::address_v4::loopback(), 0});
  tcp::socket one(here);
  one.connect(place.local_endpoint());
  tcp::socket other = place.accept();
  double seconds = 0;
  asio::co_spawn(here, send(Socket(std::move(one)), sealed, frames), failure.ending());
  asio::co_spawn(there, receive(Socket(std::move(other)), sealed, frames, seconds), failure.ending());
  {
    const auto thread = guarded_thread(failure, [&] { there.run(); });
    here.run();
  }
  failure.check();
  return seconds;
}

int run(int frames) {
  constexpr int kHellos = 1000;
  double plain = 1e9, sealed = 1e9;
  transfer(true, 16);
  for (int n = 0; n < 3; ++n) {
    plain = std::min(plain, transfer(false, frames));
    sealed = std::min(sealed, transfer(true, frames));
  }
  const auto start = Clock::now();
  for (int n = 0; n < kHellos; ++n) transfer(true, 0);
  const double hello = since(start) / kHellos;
  std::printf(
      "plain  %7.0f MiB/s\nTLS    %7.0f MiB/s, %.2f of plain\na connection and its handshake, both sides: %.2f ms\n",
      frames / plain, frames / sealed, plain / sealed, 1e3 * hello);
  return 0;
}

}  // namespace
}  // namespace weft::swarmx

int main(int argc, char** argv) { return weft::swarmx::run(argc > 1 ? std::atoi(argv[1]) : 1000); }
