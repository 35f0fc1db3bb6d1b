#include "host/appliance/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "host/checkpoint/file.hpp"

namespace weft {
namespace {

std::atomic<bool> asked{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal's handler may use it");

void on_signal(int) {
  if (asked.exchange(true)) {
    discard_unfinished();
    ::_exit(kInterruptedExit);
  }
  constexpr std::string_view kText = "\ninterrupted: this step and a checkpoint, then the end; once more: at once\n";
  const int error = errno;
  if (::write(STDERR_FILENO, kText.data(), kText.size()) < 0) errno = error;  // nobody listens
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
}

bool interrupted() { return asked; }

}  // namespace weft
