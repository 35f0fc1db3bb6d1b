/// The relay applies exactly its commands to a connection.
#include "tests/swarmx/relay/relay.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <cstdio>
#include <optional>
#include <thread>

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;

/// The program, in front of a port on which this test listens.
struct RelayProgram : testing::Test {
  asio::io_context io{1};
  tcp::acceptor acceptor{io, {asio::ip::address_v4::loopback(), 0}};
  std::FILE* in = nullptr;   // input of the program
  std::FILE* out = nullptr;  // output of the program
  std::uint16_t port = 0;

  void SetUp() override {
    std::array<int, 2> input{}, output{};
    ASSERT_EQ(::pipe(input.data()) + ::pipe(output.data()), 0);
    const std::string target = std::to_string(acceptor.local_endpoint().port());
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(input[0], 0);
      ::dup2(output[1], 1);
      ::close(input[1]);
      ::execl(WEFT_RELAY, "weft-relay", "0", target.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(input[0]);
    ::close(output[1]);
    in = ::fdopen(input[1], "w");
    out = ::fdopen(output[0], "r");
    port = static_cast<std::uint16_t>(std::stoi(line()));
  }
  void TearDown() override {
    std::fputs("quit\n", in);
    std::fclose(in);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    EXPECT_EQ(status, 0);
    std::fclose(out);
  }
  std::string line() const {
    std::array<char, 200> text{};
    return std::fgets(text.data(), text.size(), out) != nullptr ? text.data() : "";
  }
  std::string tell(const std::string& command) const {
    std::fputs((command + "\n").c_str(), in);
    std::fflush(in);
    return line();
  }
  void must(const std::string& command) const { ASSERT_EQ(tell(command), "ok\n") << command; }
  struct Ends {
    tcp::socket client, target;
  };
  Ends connect() {
    tcp::socket client(io);
    client.connect({asio::ip::address_v4::loopback(), port});
    return {std::move(client), acceptor.accept()};
  }

 private:
  pid_t pid_ = 0;
};

std::string receive(tcp::socket& from, std::size_t size) {
  std::string text(size, ' ');
  boost::system::error_code error;
  text.resize(asio::read(from, asio::buffer(text), error));
  return text;
}
void send(tcp::socket& to, const std::string& text) { asio::write(to, asio::buffer(text)); }

TEST_F(RelayProgram, ForwardsBothWaysAndTheEndOfEach) {
  auto [client, target] = connect();
  send(client, "up");
  EXPECT_EQ(receive(target, 2), "up");
  client.shutdown(tcp::socket::shutdown_send);
  EXPECT_EQ(receive(target, 1), "");
  send(target, "down");
  target.close();
  EXPECT_EQ(receive(client, 99), "down");
}

TEST_F(RelayProgram, DelaysOneWay) {
  must("up delay 300");
  auto [client, target] = connect();
  const auto start = std::chrono::steady_clock::now();
  send(client, "late");
  EXPECT_EQ(receive(target, 4), "late");
  EXPECT_GE(std::chrono::steady_clock::now() - start, 300ms);
}

TEST_F(RelayProgram, IsAsSlowAsItsRate) {
  must("rate 100000");
  auto [client, target] = connect();
  const std::string text(50000, 'x');
  const auto start = std::chrono::steady_clock::now();
  std::jthread sending([&] {
    send(client, text);
    send(client, ".");
  });
  EXPECT_EQ(receive(target, text.size() + 1).size(), text.size() + 1);
  EXPECT_GE(std::chrono::steady_clock::now() - start, 200ms);  // the time of all chunks but the last
}

TEST_F(RelayProgram, HoldsWhatArrivesUntilItIsReleased) {
  must("up hold");
  auto [client, target] = connect();
  send(client, "held");
  target.non_blocking(true);
  send(target, "free");
  EXPECT_EQ(receive(client, 4), "free");
  boost::system::error_code error;
  std::array<char, 1> byte{};
  target.read_some(asio::buffer(byte), error);
  EXPECT_EQ(error, asio::error::would_block);
  must("go");
  target.non_blocking(false);
  EXPECT_EQ(receive(target, 4), "held");
}

TEST_F(RelayProgram, CutsAllConnectionsAndLetsNewOnesThrough) {
  auto [client, target] = connect();
  send(client, "x");
  EXPECT_EQ(receive(target, 1), "x");
  must("cut");
  EXPECT_EQ(receive(client, 1), "");
  EXPECT_EQ(receive(target, 1), "");
  auto [other, end] = connect();
  send(other, "y");
  EXPECT_EQ(receive(end, 1), "y");
}

TEST_F(RelayProgram, FlipsABitOfTheNextByteOnly) {
  must("up corrupt");
  auto [client, target] = connect();
  send(client, "aa");
  EXPECT_EQ(receive(target, 2), "`a");
  send(target, "aa");
  EXPECT_EQ(receive(client, 2), "aa");
}

TEST_F(RelayProgram, CutsHoldsAndCorruptsAfterExactlySoManyBytes) {
  auto [client, target] = connect();
  must("up after 3 corrupt");
  send(client, "aaaaa");
  EXPECT_EQ(receive(target, 5), "aaa`a");
  must("up after 2 hold");
  must("down after 3 cut");
  send(client, "bbbb");
  EXPECT_EQ(receive(target, 2), "bb");
  send(target, "ccccc");
  EXPECT_EQ(receive(client, 99), "ccc");
  EXPECT_EQ(receive(target, 1), "");
}

TEST_F(RelayProgram, SaysWhatIsNoCommand) {
  EXPECT_EQ(tell("fold"), "'fold' is not a command\n");
  EXPECT_EQ(tell("delay"), "delay: a number is missing\n");
  EXPECT_EQ(tell("after 3 go"), "'after 3 go' is not a command\n");
  EXPECT_EQ(tell("up cut down"), "down: one word too many\n");
}

}  // namespace
}  // namespace weft::swarmx
