/// Baseline of the benchmark `swarm`: the same bytes with the same checksums, with plain Asio.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "bench/common/processes.hpp"
#include "bench/common/replay.hpp"
#include "bench/swarm/swarm_pair.hpp"
#include "host/memoryx/fixed_point.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/base/failure.hpp"

namespace weft::bench {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
constexpr auto kUse = asio::use_awaitable;

/// Request of the parent.
struct ChildRequest {
  std::uint64_t up = 0, bytes = 0, frames = 0;
};

constexpr std::size_t kDownFrames = std::size_t{kDownRounds} * kPairLayers,
                      kUpFrames = std::size_t{kUpRounds} * kPairLayers * 2;

asio::awaitable<void> send(tcp::socket& socket, std::span<const std::uint8_t> payload, std::uint64_t frames) {
  swarmx::HeaderBytes header{};
  for (std::uint64_t n = 0; n < frames; ++n) {
    const std::uint32_t crc = crc32c(payload);
    std::memcpy(header.data(), &crc, sizeof crc);
    const std::array<asio::const_buffer, 2> buffers{asio::buffer(header), asio::buffer(payload.data(), payload.size())};
    co_await asio::async_write(socket, buffers, kUse);
  }
}

/// Receives frames, and calls `use` with each payload.
template <class Use>
asio::awaitable<void> receive(tcp::socket& socket, std::size_t bytes, std::uint64_t frames, Use use) {
  swarmx::HeaderBytes header{};
  std::vector<std::uint8_t> payload(bytes);
  for (std::uint64_t n = 0; n < frames; ++n) {
    const std::array<asio::mutable_buffer, 2> buffers{asio::buffer(header), asio::buffer(payload)};
    co_await asio::async_read(socket, buffers, kUse);
    std::uint32_t crc = 0;
    std::memcpy(&crc, header.data(), sizeof crc);
    if (crc != crc32c(payload)) throw std::runtime_error("a plain frame's checksum is wrong");
    use(n, payload);
  }
}

asio::awaitable<void> serve_orders(tcp::socket& socket) {
  for (;;) {
    ChildRequest order;
    co_await asio::async_read(socket, asio::buffer(&order, sizeof order), kUse);
    if (order.up != 0) {
      std::vector<std::uint8_t> payload(order.bytes);
      const float one = 1;
      for (std::size_t at = 8; at < payload.size(); at += 4) std::memcpy(payload.data() + at, &one, 4);
      co_await send(socket, payload, order.frames);
    } else {
      const auto nothing = [](std::uint64_t, const std::vector<std::uint8_t>&) {};
      co_await receive(socket, order.bytes, order.frames, nothing);
      co_await asio::async_write(socket, asio::buffer("!", 1), kUse);
    }
  }
}

/// Runs `work` to completion in this thread.
void run(asio::io_context& io, asio::awaitable<void> work) {
  FirstFailure failure;
  asio::co_spawn(io, std::move(work), failure.ending());
  io.restart();
  io.run();
  failure.check();
}

class PlainPair final : public Pair {
 public:
  PlainPair()
      : child_([port = place_.local_endpoint()] {
          asio::io_context io(1);
          tcp::socket socket(io);
          socket.connect(port);
          socket.set_option(tcp::no_delay(true));
          run(io, serve_orders(socket));
        }) {
    socket_ = place_.accept();
    socket_.set_option(tcp::no_delay(true));
  }

  double down() override {
    const std::vector<std::uint8_t> payload(kDownBytes);
    return timed({.bytes = kDownBytes, .frames = kDownFrames}, [&] { return down_and_answer(payload, kDownFrames); });
  }
  double up() override {
    return timed({.up = 1, .bytes = kUpBytes, .frames = kUpFrames}, [this] {
      return receive(socket_, kUpBytes, kUpFrames, [this](std::uint64_t n, const std::vector<std::uint8_t>& payload) {
        const auto* const words = reinterpret_cast<const std::uint32_t*>(payload.data() + 8);
        const auto into = std::span(sums_).subspan(n % (kPairLayers * 2) * swarmx::kPartValues, swarmx::kPartValues);
        if (!memoryx::add_fixed(into, std::span(words, swarmx::kPartValues)))
          throw std::runtime_error("a sum has overflowed");
      });
    });
  }

 private:
  template <class Work>
  double timed(const ChildRequest& order, Work work) {
    const auto begin = Clock::now();
    asio::write(socket_, asio::buffer(&order, sizeof order));
    run(io_, work());
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }
  asio::awaitable<void> down_and_answer(std::span<const std::uint8_t> payload, std::uint64_t frames) {
    co_await send(socket_, payload, frames);
    char answer = 0;
    co_await asio::async_read(socket_, asio::buffer(&answer, 1), kUse);
  }

  asio::io_context io_{1};
  tcp::acceptor place_{io_, {asio::ip::address_v4::loopback(), 0}};
  tcp::socket socket_{io_};
  Process child_;
  std::vector<std::int64_t> sums_ = std::vector<std::int64_t>(std::size_t{kPairLayers} * 2 * swarmx::kPartValues);
};

}  // namespace

std::unique_ptr<Pair> make_plain_pair() { return std::make_unique<PlainPair>(); }

}  // namespace weft::bench
