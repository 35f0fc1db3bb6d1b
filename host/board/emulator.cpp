#include "host/board/emulator.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <stop_token>

#include "sw/base/refusal.hpp"

namespace weft::board {
namespace {

constexpr auto kPatience = std::chrono::seconds(30);
constexpr const char* kBuild = "make board builds it";

/// Reads a line from `fd`, without its end. Returns an empty string on timeout.
std::string read_line(int fd) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  std::string text;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
    pollfd wanted{.fd = fd, .events = POLLIN, .revents = 0};
    if (left <= 0 || (::poll(&wanted, 1, static_cast<int>(left)) < 0 && errno != EINTR)) return {};
    if (wanted.revents == 0) continue;
    char c = 0;
    if (::read(fd, &c, 1) != 1) return {};
    if (c == '\n') return text;
    text += c;
  }
}

}  // namespace

Emulator::Emulator(const std::filesystem::path& program, std::vector<std::string> arguments) {
  const std::string path = program.string();
  if (::access(path.c_str(), X_OK) != 0)
    throw Refusal("fpga.device", "there is no program " + path + " to emulate a board", kBuild);
  std::vector<char*> argv = {const_cast<char*>(path.c_str())};
  for (std::string& word : arguments) argv.push_back(word.data());
  argv.push_back(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw Refusal("fpga.device", std::string("cannot create a pipe: ") + std::strerror(errno), "use fewer wafers");
  out_ = Descriptor(ends[0]);
  Descriptor its(ends[1]);
  // PR_SET_PDEATHSIG fires when the forking thread ends, so this must not be the thread of a wafer, which may end
  // before the wafer.
  keeper_ = std::jthread([&](const std::stop_token& asked) {
    pid_ = ::fork();
    if (pid_ == 0) {  // no allocations or locks between fork and exec
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::setpgid(0, 0);  // Ctrl-C must reach only the host, so that the current step can finish
      sigset_t none;
      ::sigemptyset(&none);
      ::sigprocmask(SIG_SETMASK, &none, nullptr);
      ::dup2(its.get(), STDOUT_FILENO);
      ::close_range(STDERR_FILENO + 1, ~0U, 0);  // inherited copies would keep closed connections open
      ::execv(path.c_str(), argv.data());
      ::_exit(127);
    }
    started_.release();
    const std::stop_callback ends(asked, [this] { over_.release(); });
    over_.acquire();
  });
  started_.acquire();
  its = Descriptor();
  const std::string line = pid_ > 0 ? read_line(out_.get()) : "";
  constexpr std::string_view kDevice = "device ";
  if (!line.starts_with(kDevice)) {
    stop();
    throw Refusal("fpga.device", path + " does not print its device", kBuild);
  }
  device_ = line.substr(kDevice.size());
}

Emulator::~Emulator() { stop(); }

void Emulator::stop() noexcept {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
}

}  // namespace weft::board
