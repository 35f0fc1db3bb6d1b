/// Stops a single thread of another process.
#pragma once

#include <sys/ptrace.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

namespace weft::test {

/// A thread that is stopped, as by a debugger, for the lifetime of this object. The destructor waits for the end of the
/// process, and kills the process after a minute.
class StoppedThread {
 public:
  /// Stops the thread of `process` with this name. `error()` is set if the system denies it.
  StoppedThread(pid_t process, const std::string& name) : process_(process) {
    for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
      std::string comm;
      std::getline(std::ifstream(task.path() / "comm"), comm);
      if (comm == name) thread_ = std::stoi(task.path().filename());
    }
    if (thread_ == 0) throw std::runtime_error("no thread " + name);
    if (::ptrace(PTRACE_SEIZE, thread_, 0, 0) != 0 || ::ptrace(PTRACE_INTERRUPT, thread_, 0, 0) != 0) error_ = errno;
    if (error_ == 0) ::waitpid(thread_, nullptr, __WALL);
  }
  ~StoppedThread() {
    if (error_ != 0) return;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (::waitpid(thread_, nullptr, __WALL | WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() > end) ::kill(process_, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  StoppedThread(const StoppedThread&) = delete;
  StoppedThread& operator=(const StoppedThread&) = delete;
  int error() const { return error_; }

 private:
  pid_t process_;
  pid_t thread_ = 0;
  int error_ = 0;
};

}  // namespace weft::test
