/// Lines over real descriptors: a pseudoterminal pair, a socket, an emulator process.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <thread>

#include "host/board/device.hpp"
#include "host/board/emulator.hpp"
#include "host/board/lines/poll_line.hpp"
#include "host/board/lines/serial_line.hpp"
#include "host/board/lines/serial_settings.hpp"
#include "host/board/lines/udp_line.hpp"
#include "host/board/link/session.hpp"
#include "host/board/wafer/board_wafer.hpp"
#include "sw/base/refusal.hpp"
#include "tests/board/echo_wafer.hpp"
#include "tests/board/fake_board.hpp"

namespace weft::board::line_test {
namespace {

const machine::WaferShape kShape{.rows = 4, .cols = 2};

/// The board's side of a pseudoterminal pair.
struct Terminal {
  Terminal() : fd(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)) {
    ::grantpt(fd.get());
    ::unlockpt(fd.get());
    path = ::ptsname(fd.get());
  }
  Descriptor fd;
  std::string path;
};

/// A FakeBoard on a descriptor, in a thread, until it is stopped.
class Peer {
 public:
  Peer(int fd, bool stuffed)
      : board_(std::make_unique<EchoWafer>(kShape)), thread_([this, fd, stuffed](const std::stop_token& stop) {
          Unstuffer unstuffer(kMostFrame);
          while (!stop.stop_requested()) {
            std::array<std::uint8_t, 2048> some;
            wait_for(fd, false, Clock::now(), Clock::now() + std::chrono::milliseconds(1));
            if (const ssize_t count = ::read(fd, some.data(), some.size()); count > 0) {
              const auto bytes = std::span(some).first(static_cast<std::size_t>(count));
              if (!stuffed) board_.receive(bytes, Clock::now());
              for (std::size_t i = 0; stuffed && i < bytes.size(); ++i)
                if (unstuffer.push(bytes[i])) board_.receive(unstuffer.frame(), Clock::now());
            }
            board_.go_on(Clock::now());
            while (const auto frame = board_.next(Clock::now())) {
              Bytes out;
              if (stuffed) stuff(*frame, out);
              const Bytes& bytes = stuffed ? out : *frame;
              if (::write(fd, bytes.data(), bytes.size()) < 0) break;  // bytes are lost, as on any line
            }
          }
        }) {}

 private:
  FakeBoard board_;
  std::jthread thread_;
};

/// Sends 20,000 weights and checks that they come back.
void talk(std::unique_ptr<Line> line) {
  auto wafer = make_board_wafer(std::move(line), kShape);
  std::vector<machine::Message> messages;
  for (int i = 0; i < 20000; ++i) messages.push_back(machine::Message::weight(static_cast<std::uint16_t>(i * 7), 3));
  std::vector<std::vector<std::uint32_t>> words(4);
  for (const machine::Message& m : messages) words[m.data >> 30].push_back(m.data);
  std::vector<std::uint64_t> totals;
  for (const auto& row : words) totals.push_back(row.size());
  wafer->feed(messages);
  wafer->await(totals);
  for (int r = 0; r < 4; ++r) EXPECT_EQ(wafer->outlet(r), words[static_cast<std::size_t>(r)]);
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Refusal& refused) {
    return refused.what();
  }
  return "not refused";
}

TEST(SerialLine, IsSetAsItWasAsked) {
  for (const int baud : {115200, 2000000, 3000000, 1234567}) {
    const Terminal terminal;
    const SerialLine line(terminal.path, baud);
    const SerialSettings settings = read_settings(terminal.fd.get());  // both sides share the same settings
    EXPECT_EQ(settings.baud_out, baud);
    EXPECT_EQ(settings.baud_in, baud);
    EXPECT_TRUE(settings.raw);
  }
}

TEST(SerialLine, IsForOneAlone) {
  const Terminal terminal;
  const SerialLine line(terminal.path, 2000000);
  const std::string text = refusal([&] { SerialLine(terminal.path, 2000000); });
  EXPECT_TRUE(text.starts_with("fpga.device: " + terminal.path + ": Device or resource busy. HINT: end the other"))
      << text;
}

TEST(SerialLine, IsFreeAgainAfterwards) {
  const Terminal terminal;
  const Descriptor holds(::open(terminal.path.c_str(), O_RDWR | O_NOCTTY));
  const auto exclusive = [&] {
    int is = -1;
    ::ioctl(holds.get(), TIOCGEXCL, &is);
    return is;
  };
  {
    const SerialLine line(terminal.path, 2000000);
    EXPECT_EQ(exclusive(), 1);
  }
  EXPECT_EQ(exclusive(), 0);
}

TEST(SerialLine, SaysWhatIsNotThereAndWhatIsNoDevice) {
  EXPECT_TRUE(refusal([] {
                SerialLine("/dev/ttyNone", 115200);
              }).starts_with("fpga.device: /dev/ttyNone: No such file or directory. HINT: plug the board in"));
  EXPECT_TRUE(
      refusal([] { SerialLine("/dev/null", 115200); }).starts_with("fpga.device: /dev/null is not a serial device"));
}

TEST(SerialLine, CarriesAStreamBothWays) {
  const Terminal terminal;
  auto line = std::make_unique<SerialLine>(terminal.path, 2000000);
  const Peer peer(terminal.fd.get(), true);
  talk(std::move(line));
}

TEST(SerialLine, UnpluggedLineIsGone) {
  auto terminal = std::make_unique<Terminal>();
  SerialLine line(terminal->path, 2000000);
  terminal.reset();
  Bytes frame;
  EXPECT_THROW(line.receive(frame, Clock::now() + std::chrono::seconds(5)), LineGone);
}

struct Socket {
  Socket() : fd(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port = ntohs(address.sin_port);
  }
  Descriptor fd;
  int port = 0;
};

TEST(UdpLine, CarriesAStreamBothWays) {
  const Socket board;
  auto line = std::make_unique<UdpLine>("127.0.0.1:" + std::to_string(board.port));
  // The first packet tells the board the host's address.
  line->send(encode({.session = 1, .kind = Kind::Bye}));
  sockaddr_in from{};
  socklen_t size = sizeof from;
  std::array<std::uint8_t, 64> packet;
  wait_for(board.fd.get(), false, Clock::now(), Clock::now() + std::chrono::seconds(5));
  ASSERT_EQ(::recvfrom(board.fd.get(), packet.data(), packet.size(), 0, reinterpret_cast<sockaddr*>(&from), &size), 13);
  ASSERT_EQ(::connect(board.fd.get(), reinterpret_cast<sockaddr*>(&from), size), 0);
  const Peer peer(board.fd.get(), false);
  talk(std::move(line));
}

TEST(UdpLine, ReceivesFromTheBoardAlone) {
  const Socket board, other;
  UdpLine line("127.0.0.1:" + std::to_string(board.port));
  line.send(encode({.session = 1, .kind = Kind::Bye}));
  sockaddr_in host{};
  socklen_t size = sizeof host;
  std::array<std::uint8_t, 64> packet;
  wait_for(board.fd.get(), false, Clock::now(), Clock::now() + std::chrono::seconds(5));
  ASSERT_GT(::recvfrom(board.fd.get(), packet.data(), packet.size(), 0, reinterpret_cast<sockaddr*>(&host), &size), 0);
  const auto to_host = reinterpret_cast<sockaddr*>(&host);
  ASSERT_EQ(::sendto(other.fd.get(), "foreign!", 8, 0, to_host, size), 8);
  ASSERT_EQ(::sendto(board.fd.get(), "board", 5, 0, to_host, size), 5);
  Bytes frame;
  ASSERT_TRUE(line.receive(frame, Clock::now() + std::chrono::seconds(5)));
  EXPECT_EQ(std::string(frame.begin(), frame.end()), "board");
}

TEST(UdpLine, RefusesWhatIsNoAddress) {
  for (const char* address :
       {"", ":4177", "127.0.0.1:", "127.0.0.1:port", "127.0.0.1:0", "127.0.0.1:70000", "127.0.0.1:4177x", "[::1"})
    EXPECT_TRUE(refusal([&] { UdpLine line(address); }).starts_with("fpga.device: udp:")) << address;
}

/// A program that prints `line` and then sleeps.
std::string script(const std::string& line) {
  const std::string path = testing::TempDir() + "weft-board-" + std::to_string(::getpid());
  std::ofstream(path) << "#!/bin/sh\necho '" << line << "' $@\nexec sleep 1000\n";
  ::chmod(path.c_str(), 0700);
  return path;
}

TEST(Emulator, IsEndedWithItsLine) {
  pid_t pid = 0;
  {
    const Emulator emulator(script("device /dev/pts/x"), {"--udp", "7"});
    EXPECT_EQ(emulator.device(), "/dev/pts/x --udp 7");
    pid = emulator.pid();
    EXPECT_EQ(::kill(pid, 0), 0);
  }
  EXPECT_NE(::kill(pid, 0), 0);
}

/// A wafer kept for the next swarm is used by another thread than the one that created it.
TEST(Emulator, OutlivesTheThreadThatHasMadeIt) {
  std::optional<Emulator> emulator;
  std::jthread([&] { emulator.emplace(script("device x"), std::vector<std::string>{}); }).join();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // until the thread has ended
  EXPECT_EQ(::waitpid(emulator->pid(), nullptr, WNOHANG), 0) << "it lives";
}

/// Otherwise a reader at the other end of a connection, such as a wafer's thread, would never see this end close.
TEST(Emulator, HoldsNothingOpenThatIsOpenHere) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const Emulator emulator(script("device x"), {});
  const Descriptor other(ends[1]);
  ::close(ends[0]);
  char c = 0;
  EXPECT_EQ(::recv(other.get(), &c, 1, MSG_DONTWAIT), 0) << "it is closed";
}

TEST(Emulator, MissingOrSilentEmulatorIsRejected) {
  EXPECT_EQ(refusal([] { open_device("emulated", 2000000, "/none/weft-board"); }),
            "fpga.device: there is no program /none/weft-board to emulate a board. HINT: make board builds it.");
  EXPECT_NE(refusal([] { Emulator(script("hello"), {}); }).find("does not print its device"), std::string::npos);
}

}  // namespace
}  // namespace weft::board::line_test
