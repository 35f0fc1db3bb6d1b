#include "tests/swarmx/relay/relay.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <deque>
#include <sstream>
#include <utility>
#include <vector>

namespace weft::swarmx {
namespace {

using asio::ip::tcp;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kChunk = 65536;         // bytes
constexpr std::size_t kMostQueued = 8 << 20;  // limit on delayed bytes of one direction of a connection

/// Bytes that have been read and are not yet due.
struct Queue {
  struct Chunk {
    std::chrono::steady_clock::time_point due;
    std::vector<std::uint8_t> bytes;
  };
  explicit Queue(const asio::any_io_executor& executor) : changed(executor, asio::steady_timer::time_point::max()) {}
  std::deque<Chunk> chunks;
  std::size_t size = 0;
  bool ended = false, broken = false;  // at the end of the input; after an error of the output
  asio::steady_timer changed;
  asio::awaitable<void> wait() { co_await changed.async_wait(kResult); }
};

asio::awaitable<void> fill(tcp::socket& from, Queue& queue, const Way& way) {
  while (!queue.broken) {
    std::vector<std::uint8_t> bytes(kChunk);
    auto [error, size] = co_await from.async_read_some(asio::buffer(bytes), kResult);
    if (error) break;
    bytes.resize(size);
    queue.size += size;
    queue.chunks.push_back({std::chrono::steady_clock::now() + way.delay, std::move(bytes)});
    queue.changed.cancel();
    while (queue.size > kMostQueued && !queue.broken) co_await queue.wait();
  }
  queue.ended = true;
  queue.changed.cancel();
}

}  // namespace

Relay::Relay(asio::any_io_executor executor, FirstFailure& failure, std::uint16_t listen, std::uint16_t target,
             Seen seen)
    : executor_(std::move(executor)),
      failure_(failure),
      acceptor_(executor_, {asio::ip::address_v4::loopback(), listen}),
      target_(target),
      seen_(std::move(seen)),
      up_(executor_, [this] { cut(); }),
      down_(executor_, [this] { cut(); }) {}

void Relay::start() {
  const auto running = [self = shared_from_this()](std::exception_ptr failure) { self->failure_.set(failure); };
  asio::co_spawn(executor_, accept(), running);
}

asio::awaitable<void> Relay::accept() {
  for (;;) {
    const auto connection = std::make_shared<Connection>(executor_);
    auto [error] = co_await acceptor_.async_accept(connection->client, kResult);
    if (error) co_return;
    std::erase_if(connections_, [](const auto& one) { return one.expired(); });
    connections_.push_back(connection);
    const auto running = [self = shared_from_this()](std::exception_ptr failure) { self->failure_.set(failure); };
    asio::co_spawn(executor_, connect(connection), running);
  }
}

asio::awaitable<void> Relay::connect(Shared connection) {
  const tcp::endpoint to(asio::ip::address_v4::loopback(), target_);
  auto [error] = co_await connection->target.async_connect(to, kResult);
  if (error) co_return;
  boost::system::error_code ignored;
  connection->client.set_option(tcp::no_delay(true), ignored);
  connection->target.set_option(tcp::no_delay(true), ignored);
  for (const bool up : {true, false}) {
    const auto running = [self = shared_from_this()](std::exception_ptr failure) { self->failure_.set(failure); };
    asio::co_spawn(executor_, forward(connection, up), running);
  }
}

asio::awaitable<void> Relay::forward(Shared connection, bool up) {
  Way& way = up ? up_ : down_;
  tcp::socket& from = up ? connection->client : connection->target;
  tcp::socket& to = up ? connection->target : connection->client;
  const auto queue = std::make_shared<Queue>(executor_);
  const auto filled = [self = shared_from_this(), queue, connection](std::exception_ptr failure) {
    self->failure_.set(failure);
  };
  asio::co_spawn(executor_, fill(from, *queue, way), filled);
  asio::steady_timer timer(executor_);
  boost::system::error_code error;
  while (!error) {
    if (queue->chunks.empty()) {
      if (queue->ended) break;
      co_await queue->wait();
      continue;
    }
    Queue::Chunk chunk = std::move(queue->chunks.front());
    queue->chunks.pop_front();
    timer.expires_at(chunk.due);
    co_await timer.async_wait(kResult);
    for (std::span rest(chunk.bytes); !rest.empty() && !error;) {
      co_await way.pass();
      const auto piece = rest.first(way.most(rest.size()));
      rest = rest.subspan(piece.size());
      way.going(piece);
      if (seen_) seen_(up, piece);
      auto [failed, size] = co_await asio::async_write(to, asio::buffer(piece.data(), piece.size()), kResult);
      error = failed;
      if (error) break;
      way.gone(size);
      if (way.rate == 0) continue;
      timer.expires_after(std::chrono::microseconds(size * 1000000 / way.rate));
      co_await timer.async_wait(kResult);
    }
    queue->size -= chunk.bytes.size();
    queue->changed.cancel();
  }
  co_await way.pass();  // a hold delays the end, too
  queue->broken = true;
  queue->changed.cancel();
  boost::system::error_code ignored;
  to.shutdown(tcp::socket::shutdown_send, ignored);
  if (error) from.close(ignored);
}

void Relay::cut() {
  for (const auto& one : connections_) {
    const auto connection = one.lock();
    if (!connection) continue;
    boost::system::error_code ignored;
    connection->client.close(ignored);
    connection->target.close(ignored);
  }
  connections_.clear();
}

void Relay::stop() {
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  cut();
  for (Way* way : {&up_, &down_}) way->act("go");
}

std::string Relay::command(const std::string& line) {
  std::istringstream words(line);
  std::string word, what, more;
  words >> word;
  const bool up = word != "down", down = word != "up";
  if (!up || !down) words >> word;
  std::uint64_t number = 0;
  const bool counts = word == "delay" || word == "rate" || word == "after";
  if (counts && !(words >> number)) return word + ": a number is missing";
  if (word == "after") words >> what;
  if (words >> more) return more + ": one word too many";
  for (Way* way : {up ? &up_ : nullptr, down ? &down_ : nullptr}) {
    if (way == nullptr) continue;
    if (word == "delay") {
      way->delay = std::chrono::milliseconds(number);
    } else if (word == "rate") {
      way->rate = number;
    } else if (!(word == "after" ? way->act_after(number, what) : way->act(word))) {
      return "'" + line + "' is not a command";
    }
  }
  return {};
}

}  // namespace weft::swarmx
