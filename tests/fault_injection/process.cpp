#include "tests/fault_injection/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace weft::fault_injection {
namespace {

using Clock = std::chrono::steady_clock;

/// Held from fork to exec: until a child closes the descriptors that it inherited, it also holds the read ends of other
/// processes' output.
std::mutex inheriting;

/// Runs in the child between fork and exec: async-signal-safe calls only.
[[noreturn]] void become(const Start& start, char** argv, int out, int errors) {
  const bool heard = dup2(out, STDOUT_FILENO) >= 0 && dup2(errors, STDERR_FILENO) >= 0 && close_range(3, ~0U, 0) == 0;
  const auto burnt = [] {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
  };
  while (burnt() < start.burnt) {
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPWR, SIGXCPU, SIGPIPE})
    std::signal(signal, SIG_DFL);
  for (const int signal : start.ignored) std::signal(signal, SIG_IGN);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  const bool ready = heard && chdir(start.folder.c_str()) == 0 &&
                     (start.user == 0 || (setgid(start.user) == 0 && setuid(start.user) == 0));
  for (const auto& [what, limit] : start.limits) setrlimit(static_cast<__rlimit_resource>(what), &limit);
  if (ready) execv(argv[0], argv);
  _exit(127);
}

}  // namespace

Process::Process(const Start& start) {
  std::array<int, 2> out{}, errors{}, inherited{};
  for (auto* both : {&out, &errors, &inherited})
    if (pipe2(both->data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot create a pipe");
  std::vector<char*> argv = {const_cast<char*>(start.program.c_str())};
  for (const std::string& word : start.words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const std::lock_guard lock(inheriting);
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("cannot create a process");
  if (pid_ == 0) become(start, argv.data(), out[1], errors[1]);
  close(out[1]);
  close(errors[1]);
  close(inherited[1]);
  for (char none = 0; read(inherited[0], &none, 1) < 0 && errno == EINTR;) {
  }
  close(inherited[0]);
  out_ = out[0];
  errors_ = errors[0];
}

Process::~Process() {
  finish(Milliseconds(0));
  stop_reading(true);
}

void Process::kill(int signal) const {
  if (!over_) ::kill(pid_, signal);
}

void Process::take(int& fd, std::string& text) {
  std::array<char, 4096> bytes{};
  const ssize_t count = read(fd, bytes.data(), bytes.size());
  if (count > 0) text.append(bytes.data(), static_cast<std::size_t>(count));
  if (count == 0) {
    close(fd);
    fd = -1;
  }
}

bool Process::pump(int wait) {
  if (out_ < 0 && errors_ < 0) return false;
  std::array<pollfd, 2> fds{{{out_, POLLIN, 0}, {errors_, POLLIN, 0}}};
  if (poll(fds.data(), fds.size(), wait) <= 0) return true;
  if (fds[0].revents != 0) take(out_, end_.out);
  if (fds[1].revents != 0) take(errors_, end_.errors);
  note_steps();
  return true;
}

void Process::note_steps() {
  for (std::size_t end = end_.out.find('\n', seen_); end != std::string::npos; end = end_.out.find('\n', seen_)) {
    int step = 0, length = 0;
    if (sscanf(end_.out.c_str() + seen_, "%d %*f%n", &step, &length) == 1 && length > 0) reported_ = step;
    seen_ = end + 1;
  }
}

bool Process::begin() {
  constexpr std::uint64_t kCaught = 1U << (SIGINT - 1) | 1U << (SIGTERM - 1);
  for (const auto deadline = Clock::now() + kHang; !ended(0) && Clock::now() < deadline;) {
    std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("SigCgt:") && (std::stoull(line.substr(7), nullptr, 16) & kCaught) != 0) return true;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return false;
}

bool Process::reach(int step) {
  const auto deadline = Clock::now() + kHang;
  while (reported_ < step && Clock::now() < deadline) {
    if (!pump(100)) break;
  }
  return reported_ >= step;
}

std::string Process::line_with(const std::string& part) {
  const auto deadline = Clock::now() + kHang;
  while (Clock::now() < deadline) {
    const std::size_t at = end_.out.find(part);
    const std::size_t end = at == std::string::npos ? at : end_.out.find('\n', at);
    if (end != std::string::npos) {
      const std::size_t before = end_.out.rfind('\n', at);
      const std::size_t begin = before == std::string::npos ? 0 : before + 1;
      return end_.out.substr(begin, end - begin);
    }
    if (!pump(100)) break;
  }
  return {};
}

bool Process::ended(int flags) {
  if (!over_ && waitpid(pid_, &status_, WNOHANG | flags) == pid_ && !WIFSTOPPED(status_)) over_ = true;
  return over_;
}

bool Process::freeze() {
  kill(SIGSTOP);
  for (int i = 0; i < 5000 && !over_; ++i) {
    status_ = 0;
    if (!ended(WUNTRACED) && WIFSTOPPED(status_)) break;
    std::this_thread::sleep_for(Milliseconds(1));
  }
  for (std::size_t before = 1, now = 0; before != now;) {
    before = end_.out.size() + end_.errors.size();
    pump(0);
    now = end_.out.size() + end_.errors.size();
  }
  return !over_;
}

void Process::stop_reading(bool errors) {
  const std::lock_guard lock(inheriting);
  if (out_ >= 0) close(std::exchange(out_, -1));
  if (errors && errors_ >= 0) close(std::exchange(errors_, -1));
}

End Process::finish(Milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  while (pump(100) && Clock::now() < deadline) {
  }
  while (!ended(0) && Clock::now() < deadline) std::this_thread::sleep_for(Milliseconds(1));
  if (!over_) {
    end_.hung = true;
    kill(SIGKILL);
    waitpid(pid_, &status_, 0);
    over_ = true;
  }
  end_.code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  return end_;
}

End run(const Start& start) { return Process(start).finish(); }

}  // namespace weft::fault_injection
