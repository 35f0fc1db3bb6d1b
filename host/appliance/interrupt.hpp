/// Signals: while a run trains, the first asks for the end and another Ctrl-C is the end. Else the first is.
#pragma once

#include <memory>
#include <string>

namespace weft {

inline constexpr int kInterruptedExit = 130;  ///< the program's exit code then

/// While this lives, SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPWR and SIGXCPU are answered by a thread; what was
/// ignored when the program began (nohup) stays ignored. Until `catch_interrupts` each ends the program at once: 130, a
/// line, and no unfinished file or new empty folder. A write beyond a limit on files' sizes becomes an error of the
/// write. One for the program; made before any other thread, so that no other call is cut short by a signal.
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
/// (not SIGXCPU, which comes each second, nor SIGHUP and SIGUSR1, which schedulers send along with SIGTERM). A standard
/// output that nobody reads any more makes it true, too. `what_follows` is said at the first: a line, which stays.
void catch_interrupts(
    const char* what_follows = "interrupted: this step and a checkpoint, then the end; once more: at once\n");

/// A signal, or want_end().
bool interrupted();
/// A signal to this process.
bool signalled();
/// By which, "SIGTERM"; of several the first.
std::string signal_name();
/// Somebody else of the run has been asked to end, and this process should, as after a signal. None is counted: the
/// next is the first. From any thread.
void want_end();

/// No signal is kept back from this thread any more: for a program that takes this one's place.
void release_signals();

}  // namespace weft
