/// Data sent over a channel arrives unchanged, or not at all.
#include "host/swarmx/auth/channel.hpp"

#include <openssl/ssl.h>

#include <array>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <random>

#include "host/swarmx/auth/tls_channel.hpp"
#include "tests/swarmx/auth/joining.hpp"
#include "tests/swarmx/relay/relay.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

std::vector<std::uint8_t> noise(std::size_t size, unsigned seed) {
  std::vector<std::uint8_t> bytes(size);
  std::mt19937 random(seed);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

/// Writes frames as links do: a short piece and a long one.
asio::awaitable<void> write_frames(Channel& to, const std::vector<std::uint8_t>& bytes, unsigned seed) {
  std::mt19937 random(seed);
  for (std::span<const std::uint8_t> rest(bytes); !rest.empty();) {
    const auto header = rest.first(std::min<std::size_t>(rest.size(), 48));
    rest = rest.subspan(header.size());
    const auto payload = rest.first(std::min<std::size_t>(rest.size(), random() % 3 == 0 ? 1 << 20 : random() % 40000));
    rest = rest.subspan(payload.size());
    const std::array<asio::const_buffer, 2> buffers{asio::buffer(header.data(), header.size()),
                                                    asio::buffer(payload.data(), payload.size())};
    if (const auto error = co_await to.write(buffers)) throw boost::system::system_error(error);
  }
}

/// Reads pieces of random size.
asio::awaitable<void> read_pieces(Channel& from, std::vector<std::uint8_t>& bytes, unsigned seed) {
  std::mt19937 random(seed);
  for (std::span<std::uint8_t> rest(bytes); !rest.empty();) {
    const std::size_t size = std::min<std::size_t>(rest.size(), 1 + random() % 100000);
    const auto read = co_await from.read(rest.first(size), 1 + random() % size);
    if (read.error) throw boost::system::system_error(read.error);
    rest = rest.subspan(read.size);
  }
}

struct Channels : Joining {
  std::unique_ptr<Channel> client;
  Channel& server() { return *arrived.at(0).channel; }

  void both_ways_at_once(Channel& one, Channel& other) {
    constexpr std::size_t kBytes = 20 << 20;
    const auto up = noise(kBytes, 1), down = noise(kBytes + 1, 2);
    std::vector<std::uint8_t> came_up(up.size()), came_down(down.size());
    int done = 0;
    const auto ends = [&](std::exception_ptr thrown) {
      failure.set(thrown);
      ++done;
    };
    asio::co_spawn(io, write_frames(one, up, 3), ends);
    asio::co_spawn(io, write_frames(other, down, 4), ends);
    asio::co_spawn(io, read_pieces(other, came_up, 5), ends);
    asio::co_spawn(io, read_pieces(one, came_down, 6), ends);
    until([&] { return done == 4; });
    EXPECT_TRUE(came_up == up);
    EXPECT_TRUE(came_down == down);
  }
  void connect(std::uint16_t port) {
    client = drive(connect_to("127.0.0.1", port, key, wafer, 20s));
    until([this] { return !arrived.empty(); });
  }
  void TearDown() override {
    client.reset();
    Joining::TearDown();
  }
};

TEST_F(Channels, CarryLargeFramesBothWaysAtOnce) {
  listen(key);
  connect(listener->port());
  both_ways_at_once(*client, server());
}

TEST_F(Channels, ArePlainOverASocketPair) {
  asio::local::stream_protocol::socket one(io), other(io);
  asio::local::connect_pair(one, other);
  const auto plain = plain_channel(Socket(std::move(one))), end = plain_channel(Socket(std::move(other)));
  both_ways_at_once(*plain, *end);
}

/// Counts of key updates by senders, and of session tickets issued.
int g_changes = 0, g_tickets = 0;
void watch(int sends, int, int type, const void* bytes, std::size_t size, SSL*, void*) {
  if (sends == 0 || type != SSL3_RT_HANDSHAKE || size == 0) return;
  const std::uint8_t message = *static_cast<const std::uint8_t*>(bytes);
  g_changes += message == SSL3_MT_KEY_UPDATE ? 1 : 0;
  g_tickets += message == SSL3_MT_NEWSESSION_TICKET ? 1 : 0;
}

TEST_F(Channels, ChangeTheirKeysNowAndThenAndGiveNoTickets) {
  asio::local::stream_protocol::socket one(io), other(io);
  asio::local::connect_pair(one, other);
  const auto context = std::make_shared<const TlsContext>(noise(32, 0));
  std::unique_ptr<Channel> end;
  g_changes = g_tickets = 0;
  SSL_CTX_set_msg_callback(context->get(), watch);
  const auto listen = [&]() -> asio::awaitable<void> {
    end = co_await tls_channel(context, Socket(std::move(other)), JoinSide::Listens, "client", {}, 200000);
  };
  asio::co_spawn(io, listen(), failure.ending());
  auto connecting = tls_channel(context, Socket(std::move(one)), JoinSide::Connects, "server", {}, 200000);
  client = drive(std::move(connecting));
  until([&] { return end != nullptr; });
  both_ways_at_once(*client, *end);
  EXPECT_GE(g_changes, 2 * (20 << 20) / 200000 / 2);
  EXPECT_EQ(g_tickets, 0);
}

TEST_F(Channels, GiveNothingOfWhatWasChangedOnTheWay) {
  listen(key);
  const auto relay = std::make_shared<Relay>(io.get_executor(), failure, 0, listener->port());
  relay->start();
  connect(relay->port());
  drive(send(*client, "whole"));
  EXPECT_EQ(drive(receive(server(), 5)), "whole");
  EXPECT_EQ(relay->command("up after 10 corrupt"), "");
  const auto sent = noise(100, 1);
  drive(send(*client, std::string(sent.begin(), sent.end())));
  std::vector<std::uint8_t> bytes(1000);
  std::string said = "nothing";
  try {
    drive(receive(server(), 100));
  } catch (const boost::system::system_error& error) {
    said = error.code().message();
  }
  EXPECT_EQ(said, "its data was changed in transit");
  EXPECT_THROW(drive(send(server(), "x")), boost::system::system_error);  // nor does the sender receive an error
  EXPECT_THROW(drive(send(server(), std::string(100000, 'x'))), boost::system::system_error);
  relay->stop();
}

TEST_F(Channels, EndForBothWhenOneClosesItOrTheNetworkDoes) {
  listen(key);
  const auto relay = std::make_shared<Relay>(io.get_executor(), failure, 0, listener->port());
  relay->start();
  connect(relay->port());
  drive(send(*client, "last words"));
  client->close();
  EXPECT_THROW(drive(send(*client, "x")), boost::system::system_error);
  EXPECT_EQ(drive(receive(server(), 10)), "last words");
  EXPECT_THROW(drive(receive(server(), 1)), boost::system::system_error);
  arrived.clear();
  connect(relay->port());
  relay->command("cut");
  EXPECT_THROW(drive(receive(server(), 1)), boost::system::system_error);
  EXPECT_THROW(drive(receive(*client, 1)), boost::system::system_error);
  relay->stop();
}

}  // namespace
}  // namespace weft::swarmx
