/// Signal handling: during training, the first signal requests the end and a second Ctrl-C ends the program at once.
/// Otherwise the first signal ends it.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace weft::system {

inline constexpr int kInterruptedExit = 130;  ///< exit code of the program after an interrupt

/// While an instance exists, a thread handles SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPWR and SIGXCPU; signals
/// ignored at program start (nohup) stay ignored. Before `catch_interrupts`, each ends the program at once: exit code
/// 130, a message, and no unfinished file or new empty folder is left. A write beyond the file size limit (SIGXFSZ)
/// becomes an error of that write. Create one instance per program, before any other thread, so that signals do not
/// interrupt system calls elsewhere.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// From now on a signal makes `interrupted` true; a SIGINT or SIGTERM after another signal ends the program at once
/// (SIGXCPU does not, since it repeats every second, nor do SIGHUP and SIGUSR1, which schedulers send along with
/// SIGTERM). Writing to a standard output without a reader also makes `interrupted` true. `what_follows` is printed at
/// the first signal: one line, which must stay valid.
void catch_interrupts(
    const char* what_follows =
        "interrupted: finishes this step, saves a checkpoint and ends; a second interrupt ends the run at once\n");

/// True after a signal or request_end(), and if an InterruptCheck of this thread says so.
bool interrupted();
/// While an object exists, `interrupted` in this thread also asks `check`: in programs that handle signals themselves.
/// Objects of a thread must be destroyed in the reverse order of their creation.
class InterruptCheck {
 public:
  explicit InterruptCheck(std::function<bool()> check);
  ~InterruptCheck();
  InterruptCheck(const InterruptCheck&) = delete;
  InterruptCheck& operator=(const InterruptCheck&) = delete;

 private:
  friend bool interrupted();
  const std::function<bool()> check_;
  const InterruptCheck* const before_;
};
/// True after a signal to this process.
bool was_signalled();
/// Name of the first signal, e.g. "SIGTERM".
std::string signal_name();
/// Call when another process of the run was asked to end: this process should end as after a signal. Does not count as
/// a signal: the next one is the first. Thread-safe.
void request_end();

/// Unblocks all signals in this thread, before executing another program in place of this one.
void release_signals();

}  // namespace weft::system
