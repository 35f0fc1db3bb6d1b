/// A run that may listen at one of several ports, while arbitrary programs listen at the others.
#include <boost/asio/write.hpp>

#include "tests/swarmx/auth/joining.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;
using Ports = std::vector<std::uint16_t>;

struct SeveralPorts : Joining {
  tcp::acceptor first{io, {asio::ip::address_v4::loopback(), 0}};

  std::uint16_t first_port() const { return first.local_endpoint().port(); }
  /// Listens at the first free port.
  void listen_at(Ports ports) {
    const Ports others(ports.begin() + 1, ports.end());
    listen(key, {.port = ports.front(), .other_ports = others});
  }
  Joined join_one_of(Ports ports, const Hello& hello, std::chrono::milliseconds deadline = 20s) {
    return drive(connect_to_one_of("127.0.0.1", std::move(ports), key, hello, deadline));
  }
};

TEST_F(SeveralPorts, TheFirstThatIsFreeIsListenedAt) {
  listen_at({first_port(), first_port(), 0});
  EXPECT_NE(listener->port(), first_port());
  EXPECT_EQ(join_one_of({first_port(), listener->port()}, wafer).port, listener->port());
}

TEST_F(SeveralPorts, AllInUseAreReportedWithAHint) {
  try {
    listen_at({first_port(), first_port()});
    ADD_FAILURE() << "it listens";
  } catch (const Refusal& why) {
    EXPECT_SAYS(std::string(why.what()), "cannot listen there: Address already in use. HINT: set MASTER_PORT");
  }
}

TEST_F(SeveralPorts, ClosedPortIsTriedAgain) {
  const std::uint16_t port = first_port();
  first.close();
  listen(key);
  EXPECT_EQ(join_one_of({port, listener->port()}, wafer).port, listener->port());
}

TEST_F(SeveralPorts, OneWhereSomebodySaysNothingIsPassedOver) {
  listen(key);
  EXPECT_EQ(join_one_of({first_port(), listener->port()}, wafer).port, listener->port());
}

/// Many attempts at ports without a listener do not lengthen the wait for a silent listener.
TEST_F(SeveralPorts, OneWhereSomebodySaysNothingAfterAllIsPassedOver) {
  const std::uint16_t silent = first_port();
  first.close();
  asio::ip::tcp::acceptor place(io, {asio::ip::address_v4::loopback(), 0});
  const std::uint16_t port = place.local_endpoint().port();
  place.close();
  asio::steady_timer later(io, 1s);
  later.async_wait([&](const boost::system::error_code&) {
    first = tcp::acceptor(io, {asio::ip::address_v4::loopback(), silent});
    listen(key, {.port = port});
  });
  EXPECT_EQ(join_one_of({silent, port}, wafer, 20s).port, port);
}

TEST_F(SeveralPorts, OneWhereSomebodySpeaksAnotherLanguageIsPassedOver) {
  const auto web = [this]() -> asio::awaitable<void> {
    tcp::socket guest = co_await first.async_accept(asio::use_awaitable);
    const std::string text = "HTTP/1.1 400 Bad Request\r\n\r\n";
    co_await asio::async_write(guest, asio::buffer(text), asio::use_awaitable);
  };
  asio::co_spawn(io, web(), failure.ending());
  listen(key);
  EXPECT_EQ(join_one_of({first_port(), listener->port()}, wafer).port, listener->port());
}

TEST_F(SeveralPorts, OneOfAnotherRunOrKeyIsPassedOver) {
  here.job = "b";
  listen(key);
  const auto other_run = listener;
  here.job = "a";
  listen(other_key);
  const auto other_user = listener;
  listen(key);
  EXPECT_EQ(join_one_of({other_run->port(), other_user->port(), listener->port()}, wafer).port, listener->port());
  other_run->close();
  other_user->close();
}

TEST_F(SeveralPorts, AProcessOfTheSameRunRefusesAtOnce) {
  listen(key);
  Hello other = wafer;
  other.plan = 1;
  EXPECT_THROW(join_one_of({listener->port(), first_port()}, other), AuthError);
}

TEST_F(SeveralPorts, TimeoutReportsEachPort) {
  here.job = "b";
  listen(key);
  const std::uint16_t nobody = first_port();
  first.close();
  try {
    join_one_of({listener->port(), nobody}, wafer, 300ms);
    ADD_FAILURE() << "it is in";
  } catch (const PeerLost& why) {
    const std::string port = std::to_string(listener->port());
    EXPECT_SAYS(std::string(why.what()), "no connection to 127.0.0.1 at ports " + port + ", " + std::to_string(nobody) +
                                             " within 0.3 s: 127.0.0.1:" + port +
                                             " rejects this process: job b here, a there. HINT: check");
  }
}

}  // namespace
}  // namespace weft::swarmx
