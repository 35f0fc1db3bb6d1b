/// Authenticated peers are admitted; others are rejected, and both sides get the reason.
#include "tests/swarmx/auth/joining.hpp"

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "host/swarmx/auth/tls_channel.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

TEST_F(Joining, WithTheRightKeyIsLetIn) {
  listen(key);
  const auto channel = join(key, wafer);
  until([this] { return arrived.size() == 1; });
  EXPECT_EQ(arrived[0].hello.name, "wafer 1");
  drive(send(*channel, "up"));
  EXPECT_EQ(drive(receive(*arrived[0].channel, 2)), "up");
  drive(send(*arrived[0].channel, "down"));
  EXPECT_EQ(drive(receive(*channel, 4)), "down");
  EXPECT_EQ(listener->rejected_peers().count(), 0);
}

TEST_F(Joining, WithAnotherKeyIsRefusedOnBothSides) {
  listen(key);
  const std::string text = refused(other_key, wafer);
  EXPECT_SAYS(text, "127.0.0.1:" + std::to_string(listener->port()) +
                        " is not authenticated: it has another key and rejects the key of this process. HINT: give all "
                        "processes of a "
                        "run the same key file");
  EXPECT_EQ(listener->rejected_peers().count(), 1);
  EXPECT_SAYS(listener->rejected_peers().last(), "is not authenticated: it has another key");
}

/// A listener in the root's place that ignores keys.
TEST_F(Joining, RefusesAListenerThatShowsACertificateInstead) {
  const auto context = std::make_shared<const TlsContext>(std::vector<std::uint8_t>(32));
  SSL_CTX_set_psk_find_session_callback(context->get(), nullptr);
  EVP_PKEY* own = EVP_EC_gen("P-256");
  X509* certificate = X509_new();
  X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, own);
  X509_sign(certificate, own, EVP_sha256());
  ASSERT_EQ(SSL_CTX_use_certificate(context->get(), certificate), 1);
  ASSERT_EQ(SSL_CTX_use_PrivateKey(context->get(), own), 1);
  X509_free(certificate);
  EVP_PKEY_free(own);
  asio::ip::tcp::acceptor place(io, {asio::ip::address_v4::loopback(), 0});
  const auto impostor = [&]() -> asio::awaitable<void> {
    Socket socket(co_await place.async_accept(asio::use_awaitable));
    try {
      std::function<void()> no_progress;
      co_await tls_channel(context, std::move(socket), JoinSide::Listens, "us", std::move(no_progress));
    } catch (const SwarmError&) {
    }
  };
  asio::co_spawn(io, impostor(), failure.ending());
  try {
    drive(connect_to("127.0.0.1", place.local_endpoint().port(), key, wafer, 20s));
    ADD_FAILURE() << "it was taken for one of us";
  } catch (const AuthError& why) {
    EXPECT_SAYS(std::string(why.what()), "is not authenticated: it presents a certificate in place of the key");
  }
}

TEST_F(Joining, WithAnotherVersionJobPlanRoleOrNameIsRefusedWithBothValues) {
  here.role = "wafer";
  here.name = "wafer 1";
  listen(key);
  const auto expect = [&](const Hello& hello, const std::string& why) {
    const std::string text = refused(key, hello);
    EXPECT_SAYS(text, "rejects this process: " + why + ". HINT: 'here' means the peer and 'there' this process");
    EXPECT_SAYS(listener->rejected_peers().last(), ": " + why);
  };
  Hello other = wafer;
  other.version = 2;
  expect(other, "version 3 here, 2 there");
  other = wafer;
  other.job = "b";
  expect(other, "job a here, b there");
  other = wafer;
  other.plan = 0x456789abcdef0123;
  expect(other, "plan 0123456789abcdef here, 456789abcdef0123 there");
  other = wafer;
  other.role = "node";
  expect(other, "role wafer here, node there");
  other = wafer;
  other.name = "wafer 2";
  expect(other, "name wafer 1 here, wafer 2 there");
  EXPECT_EQ(listener->rejected_peers().count(), 5);
  EXPECT_TRUE(arrived.empty());
  EXPECT_EQ(refused(key, wafer), "in");
}

TEST_F(Joining, IsRefusedWhereItsPlaceIsTaken) {
  listen(key);
  refusal = "node 2 is not one of the 2 nodes here";
  EXPECT_SAYS(refused(key, wafer), "rejects this process: node 2 is not one of the 2 nodes here. HINT");
  EXPECT_TRUE(arrived.empty());
}

TEST_F(Joining, WaitsForOneThatListensLater) {
  asio::ip::tcp::acceptor place(io, {asio::ip::address_v4::loopback(), 0});
  const ListenerOptions options{.port = place.local_endpoint().port()};
  place.close();
  asio::steady_timer later(io, 200ms);
  later.async_wait([&](const boost::system::error_code&) { listen(key, options); });
  EXPECT_NO_THROW(drive(connect_to("localhost", options.port, key, wafer, 20s)));
}

TEST_F(Joining, SaysWhatIsWrongWithoutAListener) {
  asio::ip::tcp::acceptor place(io, {asio::ip::address_v4::loopback(), 0});
  const std::uint16_t port = place.local_endpoint().port();
  const auto lost = [&](const std::string& host) -> std::string {
    try {
      drive(connect_to(host, port, key, wafer, 1s));
    } catch (const PeerLost& error) {
      return error.what();
    }
    return "in";
  };
  EXPECT_SAYS(lost("127.0.0.1"), "within 1 s: the listener accepts the connection, but sends nothing. HINT: ");
  place.close();
  EXPECT_SAYS(lost("127.0.0.1"),
              "no connection to 127.0.0.1:" + std::to_string(port) + " within 1 s: Connection refused");
  EXPECT_SAYS(lost("no.such.host.invalid"), "no connection to no.such.host.invalid:");
}

TEST_F(Joining, IsImpossibleWhereListeningFails) {
  listen(key);
  const ListenerOptions taken{.port = listener->port()};
  EXPECT_THROW(std::make_shared<Listener>(io.get_executor(), failure, key, here, Guests{}, taken), Refusal);
  EXPECT_THROW(std::make_shared<Listener>(io.get_executor(), failure, key, here, Guests{}, ListenerOptions{"nowhere"}),
               Refusal);
}

TEST_F(Joining, MayBeEndedByWhoArrives) {
  listen(key);
  Guests last;
  last.admit = [](const Hello&) { return std::string(); };
  last.arrived = [this](Hello, std::unique_ptr<Channel>) { listener->close(); };
  listener->close();
  listener = std::make_shared<Listener>(io.get_executor(), failure, key, here, last, ListenerOptions{});
  asio::co_spawn(io, listener->open(), failure.ending());
  const auto channel = join(key, wafer);
  io.restart();
  io.run();  // ends, since no listener remains
}

TEST_F(Joining, PendingJoinCanBeAbandoned) {
  auto own = std::make_unique<asio::io_context>(1);
  auto kept = std::make_shared<Listener>(own->get_executor(), failure, key, here, Guests{}, ListenerOptions{});
  asio::co_spawn(*own, kept->open(), failure.ending());
  asio::ip::tcp::socket silent(io);
  silent.connect({asio::ip::address_v4::loopback(), kept->port()});
  own->run_for(50ms);
  kept.reset();
  own.reset();  // together with a peer that has not sent its hello
}

}  // namespace
}  // namespace weft::swarmx
