/// A program as a process of its own: under limits, stopped and let go, and never longer than a deadline.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

namespace weft::abuse {

using Milliseconds = std::chrono::milliseconds;

/// No run takes longer; an end that comes later is a hang.
#ifdef WEFT_SANITIZED
constexpr Milliseconds kHang{200000};
#else
constexpr Milliseconds kHang{20000};
#endif

/// How a process begins.
struct Start {
  std::string program;
  std::string folder;  ///< that it works in
  std::vector<std::string> words = {};
  std::vector<std::pair<int, rlimit>> limits = {};  ///< RLIMIT_...
  std::vector<int> ignored = {};                    ///< signals, as nohup does
  uid_t user = 0;                                   ///< 0: ours
  double burnt = 0;                                 ///< seconds of CPU that it has used when it begins
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

  /// Waits until the program has caught its first signals, soon after its start; false: it has ended before.
  bool begin();
  /// Waits until it has told of step `step` or a later one; false: it has ended before, or a deadline has passed.
  bool reach(int step);
  /// Waits for a line with `part` in it, and returns it; empty: it has ended before.
  std::string line_with(const std::string& part);
  /// Stops it, wherever it is, and reads all that it has said; false: it has ended.
  bool freeze();
  void thaw() const { kill(SIGCONT); }
  /// The last step that it has told of; 0: none.
  int reported() const { return reported_; }
  /// Closes our ends of its output, and of its errors.
  void stop_reading(bool errors);
  /// Its end; if that does not come in time, it is killed.
  End finish(Milliseconds limit = kHang);

 private:
  bool pump(int wait);  ///< reads what comes within `wait` milliseconds; false: both pipes are at their end
  void take(int& fd, std::string& text);
  void note_steps();
  bool ended(int flags);

  pid_t pid_ = 0;
  int out_ = -1, errors_ = -1;
  int status_ = 0;
  bool over_ = false;
  int reported_ = 0;
  std::size_t seen_ = 0;  ///< bytes of `end_.out` in which steps were looked for
  End end_;
};

/// Starts it, and waits for its end.
End run(const Start& start);

}  // namespace weft::abuse
