#include "host/appliance/train/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "host/checkpoint/file.hpp"
#include "host/checkpoint/provisional.hpp"

namespace weft {
namespace {

std::atomic<bool> asked{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal's handler may use it");

/// Async-signal-safe, as all of these are.
void say(std::string_view line) {
  const int error = errno;
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) errno = error;  // nobody listens
}

void end(int) {
  discard_unfinished();
  discard_provisional();
  say("interrupted: there is nothing to save\n");
  ::_exit(kInterruptedExit);
}

void ask(int) {
  if (asked.exchange(true)) {
    discard_unfinished();
    discard_provisional();
    ::_exit(kInterruptedExit);
  }
  say("interrupted: this step and a checkpoint, then the end; once more: at once\n");
}

/// Nobody reads what the run prints: not a second wish to end.
void unheard(int) { asked = true; }

void handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

}  // namespace

void end_at_interrupts() {
  handle(end);
  std::signal(SIGXFSZ, SIG_IGN);
}

void catch_interrupts() {
  handle(ask);
  std::signal(SIGPIPE, unheard);
}

bool interrupted() { return asked; }

}  // namespace weft
