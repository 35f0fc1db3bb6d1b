/// The program weft-board, as seen by a host.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/fpga/frames.hpp"

namespace weft::test {
namespace {

constexpr int kPatience = 60000;  // ms; the longest a failing test may take

bool readable(int fd) {
  pollfd wanted{fd, POLLIN, 0};
  return ::poll(&wanted, 1, kPatience) == 1;
}

std::string read_line(int fd) {
  std::string line;
  for (char c = 0; readable(fd) && ::read(fd, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

/// Runs the program; its standard output and error are read.
struct Program {
  explicit Program(std::vector<std::string> arguments) {
    int out[2], err[2];
    EXPECT_EQ(::pipe(out), 0);
    EXPECT_EQ(::pipe(err), 0);
    pid = ::fork();
    if (pid == 0) {
      ::dup2(out[1], 1);
      ::dup2(err[1], 2);
      std::vector<char*> argv{const_cast<char*>(WEFT_BOARD)};
      for (std::string& word : arguments) argv.push_back(word.data());
      argv.push_back(nullptr);
      ::execv(WEFT_BOARD, argv.data());
      ::_exit(127);
    }
    ::close(out[1]);
    ::close(err[1]);
    output = out[0], error = err[0];
    const std::string line = read_line(output);
    EXPECT_TRUE(line.starts_with("device ")) << line;
    device = line.substr(std::min<std::size_t>(line.size(), 7));
  }
  ~Program() {
    if (pid > 0) end(SIGKILL);
    ::close(output);
    ::close(error);
  }
  int end(int signal) {
    int status = 0;
    ::kill(pid, signal);
    ::waitpid(std::exchange(pid, -1), &status, 0);
    return status;
  }

  pid_t pid = -1;
  int output = -1, error = -1;
  std::string device;
};

Bytes hello(std::uint32_t session, std::uint32_t follows = 0) {
  Frame f{.session = session, .kind = kHello};
  put(f.payload, follows, 4);
  return encode(f);
}

/// The next frame of a serial line.
std::optional<Frame> read_frame(int fd) {
  Bytes bytes;
  for (std::uint8_t b = 0; readable(fd) && ::read(fd, &b, 1) == 1;) {
    if (b != 0) {
      bytes.push_back(b);
      continue;
    }
    if (const auto frame = unstuff(bytes)) return decode(*frame);
    return {};
  }
  return {};
}

TEST(Emulator, IsASerialDevice) {
  const std::filesystem::path link =
      std::filesystem::temp_directory_path() / ("weft-board-" + std::to_string(::getpid()));
  Program program({"--link", link.string()});
  EXPECT_EQ(std::filesystem::read_symlink(link), program.device);
  const int fd = ::open(link.c_str(), O_RDWR | O_NOCTTY);
  ASSERT_GE(fd, 0);
  termios settings{};
  ::tcgetattr(fd, &settings);
  EXPECT_EQ(settings.c_lflag & (ICANON | ECHO | ISIG), 0u) << "it is raw";
  EXPECT_EQ(settings.c_iflag & (IXON | ICRNL | ISTRIP), 0u);
  EXPECT_EQ(settings.c_oflag & OPOST, 0u);
  const Bytes wanted = stuff(hello(0x0a0d1103));  // bytes that a terminal would change
  ASSERT_EQ(::write(fd, wanted.data(), wanted.size()), static_cast<ssize_t>(wanted.size()));
  const auto about = read_frame(fd);
  ASSERT_TRUE(about);
  EXPECT_EQ(about->kind, kAbout);
  EXPECT_EQ(about->session, 0x0a0d1103u);
  ::close(fd);
  EXPECT_EQ(program.end(SIGTERM), 0) << "it ends well";
  EXPECT_EQ(read_line(program.error), "down: 1 frames, 0 bits flipped, 0 bytes cut, 0 frames doubled, 0 delayed");
  EXPECT_EQ(read_line(program.error), "up: 1 frames, 0 bits flipped, 0 bytes cut, 0 frames doubled, 0 delayed");
  EXPECT_FALSE(std::filesystem::is_symlink(link));
}

TEST(Emulator, CountsTheDamageThatItDoes) {
  Program program({"--seed", "3", "--double", "1"});
  const int fd = ::open(program.device.c_str(), O_RDWR | O_NOCTTY);
  const Bytes wanted = stuff(hello(9));
  ASSERT_EQ(::write(fd, wanted.data(), wanted.size()), static_cast<ssize_t>(wanted.size()));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(read_frame(fd).value().kind, kAbout);
  EXPECT_EQ(program.end(SIGTERM), 0);
  EXPECT_EQ(read_line(program.error), "down: 1 frames, 0 bits flipped, 0 bytes cut, 1 frames doubled, 0 delayed");
  ::close(fd);
}

/// With two hosts, the board listens to and answers only the one that began the session.
TEST(Emulator, KnowsItsHostByItsAddress) {
  Program program({"--udp", "0"});
  ASSERT_TRUE(program.device.starts_with("udp:127.0.0.1:"));
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  to.sin_port = htons(static_cast<std::uint16_t>(std::atoi(program.device.substr(14).c_str())));
  int hosts[2];
  for (int& host : hosts) {
    host = ::socket(AF_INET, SOCK_DGRAM, 0);
    ASSERT_EQ(::connect(host, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
  }
  const auto send = [&](int host, const Bytes& frame) {
    ASSERT_EQ(::send(hosts[host], frame.data(), frame.size(), 0), static_cast<ssize_t>(frame.size()));
  };
  const auto receive = [&](int host) -> std::optional<Frame> {
    std::uint8_t bytes[2048];
    const ssize_t n = readable(hosts[host]) ? ::recv(hosts[host], bytes, sizeof bytes, 0) : 0;
    return decode(std::span(bytes, static_cast<std::size_t>(std::max<ssize_t>(n, 0))));
  };
  send(0, hello(7));
  EXPECT_EQ(receive(0).value().kind, kAbout);
  const Bytes poll = encode({.session = 7, .kind = kPoll});
  send(1, hello(8));
  send(1, poll);
  send(0, poll);
  const auto status = receive(0);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->kind, kStatus);
  EXPECT_EQ(read_status(status->payload).foreign, 1u) << "the other's HELLO, and not its POLL";
  send(1, hello(8, 7));
  const auto about = receive(1);
  ASSERT_TRUE(about);
  EXPECT_EQ(about->kind, kAbout) << "and nothing else came";
  for (const int host : hosts) ::close(host);
}

}  // namespace
}  // namespace weft::test
