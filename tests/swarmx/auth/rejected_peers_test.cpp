/// Unauthenticated peers may connect in any number: they never keep an authenticated peer out, and their cost is
/// bounded.
#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <cstdio>
#include <fstream>
#include <list>
#include <random>

#include "host/swarmx/auth/handshake.hpp"
#include "host/swarmx/auth/tls.hpp"
#include "tests/swarmx/auth/joining.hpp"
#include "tests/swarmx/descriptors.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;

std::size_t resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmRSS:") continue;
    std::size_t kib = 0;
    status >> kib;
    return kib;
  }
  return 0;
}

struct AuthRejectedPeers : Joining {
  std::list<tcp::socket> silent;

  tcp::socket& knock() {
    silent.emplace_back(io).connect({asio::ip::address_v4::loopback(), listener->port()});
    return silent.back();
  }
  static std::string port_of(const tcp::socket& socket) { return ":" + std::to_string(socket.local_endpoint().port()); }
  /// Waits until the listener closes `socket`; returns the received text.
  std::string end_of(tcp::socket& socket) {
    const auto reading = [&socket]() -> asio::awaitable<std::string> {
      std::string text(4096, ' ');
      auto [error, size] = co_await asio::async_read(socket, asio::buffer(text), kAsResult);
      co_return text.substr(0, size);
    };
    return drive(reading());
  }
  std::string after(const std::string& text) {
    tcp::socket& peer = knock();
    asio::write(peer, asio::buffer(text));
    end_of(peer);
    return listener->rejected_peers().last();
  }
  /// Connects `count` unauthenticated peers of all kinds in turn; some stay connected and send nothing or nothing more.
  asio::awaitable<void> rubbish(int count, std::size_t most) {
    std::mt19937 random(1);
    std::list<tcp::socket> open;
    for (int n = 0; n < count; ++n) {
      tcp::socket& socket = open.emplace_back(io);
      co_await socket.async_connect({asio::ip::address_v4::loopback(), listener->port()}, asio::use_awaitable);
      std::string text(random() % 3 == 0 ? 0 : random() % 3000, ' ');
      for (char& c : text) c = static_cast<char>(random());
      if (random() % 2 == 0) text = "\x16\x03\x01" + text;  // the start of TLS
      co_await asio::async_write(socket, asio::buffer(text), kAsResult);
      if (random() % 4 == 0) open.pop_back();
      if (open.size() > most) open.pop_front();
    }
  }
};

TEST_F(AuthRejectedPeers, NonTlsPeersAreRejected) {
  listen(key);
  EXPECT_SAYS(after("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), "is not authenticated: it does not use TLS");
  EXPECT_SAYS(after("WEFT" + std::string(100, '\0')), "is not authenticated: it does not use TLS");
  EXPECT_SAYS(after(std::string(100, '\xff')), "is not authenticated: it does not use TLS");
  EXPECT_EQ(listener->rejected_peers().count(), 3);
}

TEST_F(AuthRejectedPeers, TlsPeersWithoutAKeyAreRejected) {
  listen(key);
  if (std::system("command -v openssl >/dev/null") != 0) GTEST_SKIP() << "openssl is not installed";
  const auto says = [this](const std::string& options) {
    const std::size_t before = listener->rejected_peers().count();
    const std::string command = "openssl s_client " + options +
                                " -connect 127.0.0.1:" + std::to_string(listener->port()) + " </dev/null >" +
                                (folder.path() / "said").string() + " 2>&1 &";
    EXPECT_EQ(std::system(command.c_str()), 0);
    until([&] { return listener->rejected_peers().count() > before; });
    return listener->rejected_peers().last();
  };
  EXPECT_SAYS(says(""), "is not authenticated: it uses TLS without a key");
  EXPECT_SAYS(says("-tls1_2"), "is not authenticated: it uses TLS differently (unsupported protocol)");
}

TEST_F(AuthRejectedPeers, SilentPeersBlockNoOther) {
  listen(key, {.deadline = 60s});
  for (int n = 0; n < 200; ++n) {
    knock();
    io.poll();
    if (n == 100) join(key, wafer);
  }
  join(key, wafer);
  until([this] { return arrived.size() == 2; });
  EXPECT_EQ(listener->rejected_peers().count(),
            200 - 63);  // the last peer that joined also took a place until it had shown its key
  EXPECT_SAYS(listener->rejected_peers().last(), "was disconnected without a hello");
}

/// The bytes sent by the rejected peer have already arrived, but have not been examined.
TEST_F(AuthRejectedPeers, RejectionWhileSpeakingEndsNothing) {
  listen(key, {.most = 1, .deadline = 60s});
  for (std::size_t n = 1; n <= 50; ++n) {
    tcp::socket& speaks = knock();
    io.poll();
    asio::write(speaks, asio::buffer(n % 2 == 0 ? std::string("\x16\x03\x01") : std::string("GET / HTTP/1.1\r\n\r\n")));
    knock();
    until([&] { return failure.happened() || listener->rejected_peers().count() >= 2 * n - 1; });
    ASSERT_NO_THROW(failure.check()) << n;
  }
  join(key, wafer);
  until([this] { return arrived.size() == 1; });
}

TEST_F(AuthRejectedPeers, SilentPeersAreRejectedAfterTheDeadline) {
  listen(key, {.deadline = 200ms});
  tcp::socket& socket = knock();
  EXPECT_EQ(end_of(socket), "");
  EXPECT_SAYS(listener->rejected_peers().last(), "sent no hello within 200 ms");
}

/// A peer that has begun the handshake like one with the key is not the next to be disconnected.
TEST_F(AuthRejectedPeers, AreSentAwayInTheOrderOfTheirProgress) {
  listen(key, {.most = 2, .deadline = 60s});
  tcp::socket &begins = knock(), &second = knock();
  io.poll();  // both are connected
  const TlsContext context(std::vector<std::uint8_t>(64, 'k'));
  Tls tls(context, JoinSide::Connects);
  EXPECT_EQ(tls.handshake(), Tls::Step::NeedsMore);
  std::vector<std::uint8_t> hello;
  tls.take_outgoing(hello);
  asio::write(begins, asio::buffer(hello));
  std::string answer(1, ' ');
  drive([](tcp::socket& from, std::string& text) -> asio::awaitable<void> {
    co_await asio::async_read(from, asio::buffer(text), asio::use_awaitable);
  }(begins, answer));
  tcp::socket& third = knock();
  until([this] { return listener->rejected_peers().count() == 1; });
  EXPECT_SAYS(listener->rejected_peers().last(), port_of(second) + " was disconnected");
  knock();
  knock();
  until([this] { return listener->rejected_peers().count() == 3; });
  EXPECT_SAYS(listener->rejected_peers().last(), port_of(third) + " was disconnected");
}

TEST_F(AuthRejectedPeers, WithTheKeyThatStopInTheMiddleMeetTheDeadlineToo) {
  listen(key, {.most = 1, .deadline = 2s});
  tcp::socket socket(io);
  socket.connect({asio::ip::address_v4::loopback(), listener->port()});
  std::function<void()> no_progress;
  const auto secured = drive(key->secure(Socket(std::move(socket)), JoinSide::Connects, "us", no_progress));
  const auto hello = encode_message(encode_hello(wafer), {});
  drive(send(*secured.channel, std::string(hello.begin(), hello.begin() + 20)));
  tcp::socket& first = knock();  // takes no place from a peer with the key
  knock();
  until([this] { return listener->rejected_peers().count() == 1; });
  EXPECT_SAYS(listener->rejected_peers().last(), port_of(first) + " was disconnected");
  EXPECT_THROW(drive(receive(*secured.channel, 1)), boost::system::system_error);
  until([this] { return listener->rejected_peers().count() == 3; });
  EXPECT_SAYS(listener->rejected_peers().last(), "sent no hello within 2000 ms");
  EXPECT_TRUE(arrived.empty());
}

TEST_F(AuthRejectedPeers, WithTheKeyThatSendNoHelloAreSentAway) {
  listen(key);
  tcp::socket socket(io);
  socket.connect({asio::ip::address_v4::loopback(), listener->port()});
  std::function<void()> no_progress;
  const auto secured = drive(key->secure(Socket(std::move(socket)), JoinSide::Connects, "us", no_progress));
  drive(send(*secured.channel, std::string(100, 'x')));
  const JoinMessage answer = drive(receive_message(secured, "the listener"));
  EXPECT_EQ(answer.kind, MessageKind::Rejected);
  EXPECT_THROW(drive(receive(*secured.channel, 1)), boost::system::system_error);
  EXPECT_SAYS(listener->rejected_peers().last(), "sent no valid hello: the message begins otherwise");
}

TEST_F(AuthRejectedPeers, InThousandsLeaveMemoryAndDescriptorsBounded) {
  constexpr int kCount = 10000;
  listen(key, {.deadline = 60s});
  drive(rubbish(200, 100));  // entries taken by the first peers are reused for the next
  [[maybe_unused]] const std::size_t memory = resident_kib();
  const std::size_t descriptors = used_descriptors().size();
  std::size_t most = 0;
  bool watch = true, watched = false;
  const auto watching = [&]() -> asio::awaitable<void> {
    asio::steady_timer timer(io);
    while (watch) {
      most = std::max(most, used_descriptors().size());
      timer.expires_after(20ms);
      co_await timer.async_wait(asio::use_awaitable);
    }
    watched = true;
  };
  asio::co_spawn(io, watching(), failure.ending());
  drive(rubbish(kCount, 100));
  join(key, wafer);
  watch = false;
  until([&] { return watched; });
  EXPECT_GE(listener->rejected_peers().count(), kCount - 64);
  EXPECT_LE(most, descriptors + 101 + 64 + 5);  // the peers' and ours: all in one process
#ifndef __SANITIZE_ADDRESS__                    // which keeps freed memory
  const std::size_t now = resident_kib();
  std::printf("%d peers: %zu KiB more than before them\n", kCount, std::max(now, memory) - memory);
  EXPECT_LE(now, memory + 4096);
#endif
  EXPECT_LE(log.size(), 20);
}

TEST_F(AuthRejectedPeers, AreALineOfTheLogNowAndThen) {
  listen(key);
  for (int n = 0; n < 30; ++n) after("rubbish" + std::string(100, '\0'));
  ASSERT_LE(log.size(), 4);  // all of this takes less than half a minute
  EXPECT_SAYS(log[0], "1 was rejected, the last: a peer at 127.0.0.1:");
  listener->close();
  EXPECT_SAYS(log.back(), " rejected, the last: a peer at 127.0.0.1:");
}

TEST(RejectedPeersSummary, SaysEachOnceAndNotTooOften) {
  RejectedPeers rejected;
  const RejectedPeers::Time start{};
  EXPECT_EQ(rejected.line(start), "");
  rejected.add("one that is red. HINT: paint it");
  EXPECT_EQ(rejected.line(start), "1 was rejected, the last: one that is red");
  rejected.add("green");
  rejected.add("blue\n");
  EXPECT_EQ(rejected.line(start + 9s), "");
  EXPECT_EQ(rejected.line(start + 10s), "2 were rejected, the last: blue\\x0a");
  EXPECT_EQ(rejected.line(start + 30s), "");
  rejected.add("grey");
  EXPECT_EQ(rejected.last_line(), "1 was rejected, the last: grey");
  EXPECT_EQ(rejected.count(), 4);
}

}  // namespace
}  // namespace weft::swarmx
