/// A child process: under limits, stopped and continued, and never longer than a deadline.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

namespace weft::fault_injection {

using Milliseconds = std::chrono::milliseconds;

/// Deadline of every run; a process that exceeds it has hung.
#ifdef WEFT_SANITIZED
constexpr Milliseconds kHang{200000};
#else
constexpr Milliseconds kHang{20000};
#endif

/// Parameters of a process's start.
struct Start {
  std::string program;
  std::string folder;  ///< working directory
  std::vector<std::string> words = {};
  std::vector<std::pair<int, rlimit>> limits = {};  ///< RLIMIT_...
  std::vector<int> ignored = {};                    ///< signals, as nohup does
  uid_t user = 0;                                   ///< 0: the current user
  double burnt = 0;                                 ///< CPU seconds used before exec
};

struct End {
  int code = 0;  ///< the exit code, or 128 + the signal that killed it
  bool hung = false;
  std::string out, errors;
};

class Process {
 public:
  explicit Process(const Start& start);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }
  void kill(int signal) const;

  /// Waits until the program has installed its first signal handlers, soon after its start; false: it has already
  /// ended.
  bool begin();
  /// Waits until the program has reported step `step` or a later one; false: it has ended before, or a deadline has
  /// passed.
  bool reach(int step);
  /// Waits for a line that contains `part`, and returns it; empty: the program has ended before.
  std::string line_with(const std::string& part);
  /// Stops the process at an arbitrary point and reads all its output so far; false: it has ended.
  bool freeze();
  void thaw() const { kill(SIGCONT); }
  /// The last reported step; 0: none.
  int reported() const { return reported_; }
  /// Closes our ends of the pipes for its standard output and, if `errors`, its standard error.
  void stop_reading(bool errors);
  /// Waits for its end; kills the process after `limit`.
  End finish(Milliseconds limit = kHang);

 private:
  bool pump(int wait);  ///< reads what arrives within `wait` milliseconds; false: both pipes are at their end
  void take(int& fd, std::string& text);
  void note_steps();
  bool ended(int flags);

  pid_t pid_ = 0;
  int out_ = -1, errors_ = -1;
  int status_ = 0;
  bool over_ = false;
  int reported_ = 0;
  std::size_t seen_ = 0;  ///< bytes of `end_.out` already searched for steps
  End end_;
};

/// Starts a process and waits for its end.
End run(const Start& start);

}  // namespace weft::fault_injection
