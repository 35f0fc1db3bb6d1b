#include "tests/run/ranks/frame_relay.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "host/swarmx/auth/auth_error.hpp"
#include "host/swarmx/auth/hello.hpp"
#include "host/swarmx/auth/message.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/swarmx/memory/member.hpp"
#include "host/swarmx/protocol/payload.hpp"

namespace weft::test {
namespace {

using asio::ip::tcp;
using Clock = std::chrono::steady_clock;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);
}  // namespace

struct FrameRelay::Connection {
  explicit Connection(const asio::any_io_executor& executor)
      : timer{asio::steady_timer(executor), asio::steady_timer(executor)} {}
  swarmx::Secured client, root;
  Clock::time_point held{};
  std::array<asio::steady_timer, 2> timer;  // one per direction
  bool open = true;
  bool memory = false;  // a connection of a rank of MemoryX
  void close() {
    open = false;
    for (swarmx::Secured* side : {&client, &root}) {
      if (side->channel) side->channel->close();
    }
    for (asio::steady_timer& one : timer) one.cancel();
  }
};

FrameRelay::FrameRelay(const std::filesystem::path& key, std::uint16_t target, std::uint32_t micro_batches,
                       FrameRelay* memory)
    : credentials_(swarmx::key_credentials(key)),
      target_(target),
      micro_batches_(micro_batches),
      memory_(memory),
      acceptor_(io_, {asio::ip::address_v4::loopback(), 0}) {
  asio::co_spawn(io_, accept(), failure_.ending());
  thread_ = guarded_thread(failure_, [this] { io_.run(); });
}

FrameRelay::~FrameRelay() {
  asio::post(io_, [this] {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    for (const auto& one : connections_) {
      if (const Shared connection = one.lock()) connection->close();
    }
    io_.stop();
  });
}

void FrameRelay::trap(Wanted wanted, std::function<Fate()> act) {
  const std::lock_guard lock(mutex_);
  wanted_ = std::move(wanted);
  act_ = std::move(act);
  sprung_ = false;
}

void FrameRelay::disarm() {
  const std::lock_guard lock(mutex_);
  wanted_ = nullptr;
}

bool FrameRelay::sprung(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, time, [this] { return sprung_; });
}

std::optional<Fate> FrameRelay::spring(const Passing& passing) {
  const std::lock_guard lock(mutex_);
  if (!wanted_ || !wanted_(passing)) return std::nullopt;
  wanted_ = nullptr;
  const Fate fate = act_();
  sprung_ = true;
  changed_.notify_all();
  return fate;
}

asio::awaitable<void> FrameRelay::accept() {
  for (;;) {
    tcp::socket client(io_);
    auto [error] = co_await acceptor_.async_accept(client, kResult);
    if (error) co_return;
    const auto connection = std::make_shared<Connection>(io_.get_executor());
    std::erase_if(connections_, [](const auto& one) { return one.expired(); });
    connections_.push_back(connection);
    asio::co_spawn(io_, join(connection, std::move(client)), failure_.ending());
  }
}

asio::awaitable<void> FrameRelay::join(Shared connection, tcp::socket client) {
  tcp::socket root(io_);
  auto [error] = co_await root.async_connect({asio::ip::address_v4::loopback(), target_.load()}, kResult);
  if (error) co_return;  // the target is not listening: the peer will reconnect
  boost::system::error_code ignored;
  for (tcp::socket* side : {&client, &root}) side->set_option(tcp::no_delay(true), ignored);
  try {
    connection->client =
        co_await credentials_->secure(swarmx::Socket(std::move(client)), swarmx::JoinSide::Listens, "a process", [] {});
    connection->root =
        co_await credentials_->secure(swarmx::Socket(std::move(root)), swarmx::JoinSide::Connects, "the root", [] {});
  } catch (const swarmx::AuthError&) {  // changed in transit
    co_return connection->close();
  } catch (const swarmx::PeerLost&) {
    co_return connection->close();
  }
  for (const bool up : {true, false}) asio::co_spawn(io_, forward(connection, up), failure_.ending());
}

asio::awaitable<void> FrameRelay::forward(Shared connection, bool up) {
  bool more = co_await relay_handshake(connection, up);
  while (more) more = co_await frame(connection, up);
  connection->close();
}

/// Forwards the handshake message in this direction. False: the connection has ended.
asio::awaitable<bool> FrameRelay::relay_handshake(Shared connection, bool up) {
  swarmx::Channel& from = *(up ? connection->client : connection->root).channel;
  swarmx::MessageHeader header{};
  const swarmx::Received read = co_await from.read(header, header.size());
  if (read.error) co_return false;
  const swarmx::MessageSizes sizes = swarmx::decode_sizes(header, "a process");
  swarmx::Bytes rest(sizes.body + sizes.proof);
  if (!rest.empty()) {
    const swarmx::Received more = co_await from.read(rest, rest.size());
    if (more.error) co_return false;
  }
  const swarmx::JoinMessage message = swarmx::decode_message(header, rest, "a process");
  const swarmx::MessageKind kind = message.kind;
  if (kind == swarmx::MessageKind::Hello)
    connection->memory = swarmx::decode_hello(message, swarmx::kSwarmVersion, "a process").role == swarmx::kMemoryRole;
  swarmx::Bytes all(header.begin(), header.end());
  all.insert(all.end(), rest.begin(), rest.end());
  const char* name = kind == swarmx::MessageKind::Hello     ? "Hello"
                     : kind == swarmx::MessageKind::Welcome ? "Welcome"
                                                            : "Refused";
  const Passing passing{.name = name, .up = up};
  co_return co_await pass(connection, up, passing, std::move(all));
}

asio::awaitable<bool> FrameRelay::frame(Shared connection, bool up) {
  swarmx::Channel& from = *(up ? connection->client : connection->root).channel;
  swarmx::HeaderBytes head{};
  const swarmx::Received read = co_await from.read(head, head.size());
  if (read.error) co_return false;
  swarmx::Header header = swarmx::decode_header(head, "a process");
  swarmx::Bytes payload(header.length);
  if (!payload.empty()) {
    const swarmx::Received more = co_await from.read(payload, payload.size());
    if (more.error) co_return false;
  }
  swarmx::Bytes all(head.begin(), head.end());
  all.insert(all.end(), payload.begin(), payload.end());
  const swarmx::Frame whole = swarmx::with_payload(std::move(header), std::move(payload), "a process");
  const Passing passing = interpret(connection->memory, whole, up);
  if (memory_ != nullptr && connection->memory && whole.type == swarmx::FrameType::Redirect) all = redirected(whole);
  co_return co_await pass(connection, up, passing, std::move(all));
}

asio::awaitable<bool> FrameRelay::pass(Shared connection, bool up, const Passing& passing, swarmx::Bytes bytes) {
  swarmx::Channel& to = *(up ? connection->root : connection->client).channel;
  std::optional<Fate> fate;
  if (!passing.last) fate = spring(passing);
  std::size_t size = bytes.size();
  if (fate && fate->kind == Fate::Kind::Cut) co_return false;
  if (fate && fate->kind == Fate::Kind::Corrupt) {
    const std::size_t bit = fate->where % (8 * size);
    bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ 1U << bit % 8);
  }
  if (fate && fate->kind == Fate::Kind::Half) size /= 2;
  if (fate && fate->kind == Fate::Kind::Hold) connection->held = Clock::now() + fate->hold;
  while (connection->open && connection->held > Clock::now()) {
    connection->timer[up].expires_at(connection->held);
    co_await connection->timer[up].async_wait(kResult);
  }
  if (!connection->open) co_return false;
  const asio::const_buffer buffer = asio::buffer(bytes.data(), size);
  const boost::system::error_code error = co_await to.write({&buffer, 1});
  if (error) co_return false;
  if (passing.last) fate = spring(passing);
  if (!fate) co_return connection->open;
  if (fate->kind == Fate::Kind::Half || (passing.last && fate->kind == Fate::Kind::Hold)) {
    const auto time = fate->kind == Fate::Kind::Half ? std::chrono::hours(1) : fate->hold;
    connection->held = Clock::now() + time;
    if (fate->kind == Fate::Kind::Half) {
      connection->timer[up].expires_at(connection->held);
      co_await connection->timer[up].async_wait(kResult);
    }
  }
  co_return connection->open && !(passing.last && fate->kind == Fate::Kind::Cut);
}

}  // namespace weft::test
