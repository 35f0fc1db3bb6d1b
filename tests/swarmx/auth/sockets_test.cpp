/// The number of times a socket wakes its reader, and the reported results.
#include "host/swarmx/auth/sockets.hpp"

#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace weft::swarmx {
namespace {

using asio::ip::tcp;

struct Sockets : testing::Test {
  static constexpr std::size_t kSome = 5000;  // bytes
  asio::io_context io;
  std::optional<Socket> near, far;
  std::vector<std::uint8_t> sent = std::vector<std::uint8_t>(100000), came = sent;
  std::optional<Received> received;

  Sockets() {
    std::iota(sent.begin(), sent.end(), std::uint8_t{1});
    tcp::acceptor place(io, {asio::ip::address_v4::loopback(), 0});
    tcp::socket one(io);
    one.connect(place.local_endpoint());
    near.emplace(std::move(one));
    far.emplace(place.accept());
    for (auto* const end : {&near, &far}) prepare(**end);
  }
  void read(std::span<std::uint8_t> into, std::size_t least) {
    received.reset();
    asio::co_spawn(io, receive(*near, into, least), [this](std::exception_ptr thrown, Received all) {
      ASSERT_FALSE(thrown);
      received = all;
    });
  }
  /// Runs handlers until none is ready; returns their number.
  std::size_t poll() {
    io.restart();
    return io.poll();
  }
  /// Runs handlers until the requested bytes have arrived, forever if they never do; returns their number.
  std::size_t await() {
    std::size_t handlers = 0;
    io.restart();
    while (!received) handlers += io.run_one();
    return handlers;
  }
  /// Starts a read of all bytes, of which only some have been sent.
  void begin_a_long_one() {
    read(came, came.size());
    poll();
    write(std::span(sent).first(kSome));
    poll();
    EXPECT_FALSE(received);
  }
  void write(std::span<const std::uint8_t> bytes) { asio::write(*far, asio::buffer(bytes.data(), bytes.size())); }
};

std::string congestion_control(Socket& socket) {
  std::array<char, 16> name{};
  socklen_t size = name.size();
  EXPECT_EQ(::getsockopt(socket.native_handle(), IPPROTO_TCP, TCP_CONGESTION, name.data(), &size), 0);
  return name.data();
}

TEST_F(Sockets, AreNotPacedWithinAMachine) {
  unpace(*near);
  EXPECT_EQ(congestion_control(*near), "reno");
  asio::ip::tcp::no_delay at_once;
  near->get_option(at_once);
  EXPECT_TRUE(at_once.value());
}

TEST_F(Sockets, WakeWhoReadsOnceAllIsThere) {
  read(came, came.size());
  poll();
  std::size_t handlers = 0;
  for (std::span<const std::uint8_t> rest(sent); !rest.empty(); rest = rest.subspan(1000)) {
    write(rest.first(1000));
    handlers += poll();
    ASSERT_TRUE(!received || rest.size() == 1000);
  }
  handlers += await();
  EXPECT_LE(handlers, 10U) << "of 100 pieces";
  EXPECT_FALSE(received->error);
  EXPECT_EQ(received->size, came.size());
  EXPECT_TRUE(came == sent);
}

TEST_F(Sockets, HearAShortOneAfterALongOne) {
  begin_a_long_one();
  write(std::span(sent).subspan(kSome));
  await();
  for (const std::size_t size : {48U, 1U}) {
    read(std::span(came).first(size), size);
    poll();
    EXPECT_FALSE(received);
    write(std::span(sent).first(size));
    await();
    EXPECT_EQ(received->size, size);
  }
}

TEST_F(Sockets, GiveMoreThanTheLeastIfItIsThere) {
  write(sent);
  read(came, 10);
  await();
  EXPECT_FALSE(received->error);
  EXPECT_GT(received->size, 10U);
}

TEST_F(Sockets, SayThatThePeerIsGoneInTheMiddleOfALongOne) {
  begin_a_long_one();
  far->close();
  await();
  EXPECT_EQ(received->error, asio::error::eof);
  EXPECT_EQ(received->size, kSome);
}

TEST_F(Sockets, SayThatTheyWereClosedWhileSomebodyWaited) {
  begin_a_long_one();
  near->close();
  await();
  EXPECT_EQ(received->error, asio::error::operation_aborted);
}

/// More bytes than any buffer of the kernel holds.
TEST_F(Sockets, TakeWhatIsLongerThanTheKernelKeeps) {
  std::vector<std::uint8_t> long_one(std::size_t{64} << 20, 7), all(long_one.size());
  read(all, all.size());
  const std::array<asio::const_buffer, 1> buffers{asio::buffer(long_one)};
  boost::system::error_code error = asio::error::would_block;
  asio::co_spawn(io, send(*far, buffers), [&](std::exception_ptr, boost::system::error_code was) { error = was; });
  io.restart();
  io.run();
  EXPECT_FALSE(error);
  ASSERT_TRUE(received);
  EXPECT_TRUE(all == long_one);
}

}  // namespace
}  // namespace weft::swarmx
