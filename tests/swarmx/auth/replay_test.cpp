/// A recorded session gives no access to a peer without the key that replays it.
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "tests/swarmx/auth/joining.hpp"
#include "tests/swarmx/relay/relay.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;

struct Replay : Joining {
  std::string up, down;  ///< bytes to the listener and from it

  /// Connects one peer through a recording relay and sends a message.
  void record() {
    listen(key);
    const auto seen = [this](bool is_up, std::span<const std::uint8_t> bytes) {
      (is_up ? up : down).append(bytes.begin(), bytes.end());
    };
    const auto relay = std::make_shared<Relay>(io.get_executor(), failure, 0, listener->port(), seen);
    relay->start();
    const auto channel = drive(connect_to("127.0.0.1", relay->port(), key, wafer, 20s));
    until([this] { return arrived.size() == 1; });
    drive(send(*channel, "this is secret"));
    EXPECT_EQ(drive(receive(*arrived[0].channel, 14)), "this is secret");
    relay->stop();
  }
};

asio::awaitable<std::string> repeat(std::uint16_t port, const std::string& text) {
  tcp::socket socket(co_await asio::this_coro::executor);
  co_await socket.async_connect({asio::ip::address_v4::loopback(), port}, asio::use_awaitable);
  co_await asio::async_write(socket, asio::buffer(text), asio::use_awaitable);
  std::string answer(100000, ' ');
  auto [error, size] = co_await asio::async_read(socket, asio::buffer(answer), kAsResult);
  co_return answer.substr(0, size);
}

TEST_F(Replay, WholePeerStreamIsRejected) {
  record();
  drive(repeat(listener->port(), up));
  EXPECT_EQ(arrived.size(), 1);
  EXPECT_EQ(listener->rejected_peers().count(), 1);
  EXPECT_SAYS(listener->rejected_peers().last(),
              "is not authenticated: its messages were replayed or changed in transit");
}

TEST_F(Replay, WholeListenerStreamIsRejected) {
  record();
  tcp::acceptor place(io, {asio::ip::address_v4::loopback(), 0});
  const auto play = [&]() -> asio::awaitable<void> {
    tcp::socket socket = co_await place.async_accept(asio::use_awaitable);
    std::string heard(65536, ' ');
    co_await socket.async_read_some(asio::buffer(heard), asio::use_awaitable);
    co_await asio::async_write(socket, asio::buffer(down), asio::use_awaitable);
    co_await asio::async_read(socket, asio::buffer(heard), kAsResult);
  };
  asio::co_spawn(io, play(), failure.ending());
  try {
    drive(connect_to("127.0.0.1", place.local_endpoint().port(), key, wafer, 20s));
    ADD_FAILURE() << "it was taken for the listener";
  } catch (const AuthError& why) {
    EXPECT_SAYS(std::string(why.what()), "is not authenticated: its messages were replayed or changed in transit");
  }
}

TEST_F(Replay, HasHeardNothingInTheClear) {
  record();
  for (const std::string* said : {&up, &down}) {
    ASSERT_GT(said->size(), 100);
    for (const char* secret : {"secret", "wafer 1", "WFTJ"}) EXPECT_EQ(said->find(secret), std::string::npos) << secret;
  }
}

}  // namespace
}  // namespace weft::swarmx
