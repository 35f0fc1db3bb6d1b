/// Stops a single thread of another process.
#pragma once

#include <sys/ptrace.h>
#include <sys/wait.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace weft {

/// A thread that is stopped, as by a debugger, for the lifetime of this object.
class HeldThread {
 public:
  /// Stops the thread of `process` with this name. `error()` is set if the system denies it.
  HeldThread(pid_t process, const std::string& name) {
    for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
      std::string comm;
      std::getline(std::ifstream(task.path() / "comm"), comm);
      if (comm == name) thread_ = std::stoi(task.path().filename());
    }
    if (thread_ == 0) throw std::runtime_error("no thread " + name);
    if (::ptrace(PTRACE_SEIZE, thread_, 0, 0) != 0 || ::ptrace(PTRACE_INTERRUPT, thread_, 0, 0) != 0) error_ = errno;
    if (error_ == 0) ::waitpid(thread_, nullptr, __WALL);
  }
  ~HeldThread() {
    if (error_ == 0) ::waitpid(thread_, nullptr, __WALL);  // the process has ended
  }
  HeldThread(const HeldThread&) = delete;
  HeldThread& operator=(const HeldThread&) = delete;
  int error() const { return error_; }

 private:
  pid_t thread_ = 0;
  int error_ = 0;
};

}  // namespace weft
