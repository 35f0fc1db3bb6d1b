#include "host/appliance/interrupt.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <iterator>
#include <string_view>
#include <thread>

#include "host/checkpoint/file.hpp"
#include "host/checkpoint/provisional.hpp"
#include "sw/base/failure.hpp"

namespace weft {
namespace {

namespace asio = boost::asio;

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPWR, SIGXCPU};

const char* name_of(int signal) {
  switch (signal) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP";
    case SIGUSR1:
      return "SIGUSR1";
    case SIGUSR2:
      return "SIGUSR2";
    case SIGPWR:
      return "SIGPWR";
    case SIGXCPU:
      return "SIGXCPU";
    case SIGPIPE:
      return "SIGPIPE";
    default:
      return "no signal";
  }
}

std::atomic<bool> saves{false};  // an end is asked for, not made
std::atomic<bool> asked{false};
std::atomic<int> first{0};  // signal
std::atomic<bool> wanted{false};
std::atomic<const char*> answer{nullptr};

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void say(std::string_view line) {
  [[maybe_unused]] const ssize_t heard = ::write(STDERR_FILENO, line.data(), line.size());
}

[[noreturn]] void end() {
  making().lock();  // for good
  discard_unfinished();
  discard_provisional();
  ::_exit(kInterruptedExit);
}

void note(int signal) {
  int none = 0;
  first.compare_exchange_strong(none, signal);
}

/// One that waits for the thread that answers it; 0: none.
int waiting_signal() {
  sigset_t waiting;
  if (!saves || ::sigpending(&waiting) != 0) return 0;
  const auto* const at =
      std::ranges::find_if(kSignals, [&](int signal) { return ::sigismember(&waiting, signal) == 1; });
  return at == std::end(kSignals) ? 0 : *at;
}

void heard(int signal) {
  note(signal);
  if (!saves) {
    say("interrupted: there is nothing to save\n");
    end();
  }
  if (!asked.exchange(true)) {
    say(answer.load());
  } else if (signal == SIGINT || signal == SIGTERM) {
    end();
  }
}

}  // namespace

class Interrupts::Impl {
 public:
  Impl() {
    sigset_t others;
    sigemptyset(&others);
    for (const int signal : kSignals) {
      if (is_ignored(signal)) continue;
      signals_.add(signal);
      sigaddset(&others, signal);
    }
    wait();
    thread_ = guarded_thread(failure_, [this] { io_.run(); });
    ::pthread_sigmask(SIG_BLOCK, &others, nullptr);  // of this thread, and of those that it starts from now on
  }
  ~Impl() { io_.stop(); }

 private:
  void wait() {
    signals_.async_wait([this](const boost::system::error_code& error, int signal) {
      if (error) return;
      heard(signal);
      wait();
    });
  }

  asio::io_context io_{1};
  asio::signal_set signals_{io_};
  FirstFailure failure_{[] { asked = true; }};  // a run that nobody could end any more ends
  std::jthread thread_;                         // last: ends before what it uses
};

Interrupts::Interrupts() {
  std::signal(SIGXFSZ, SIG_IGN);
  impl_ = std::make_unique<Impl>();
}

Interrupts::~Interrupts() = default;

void catch_interrupts(const char* what_follows) {
  answer = what_follows;
  saves = true;
  // Comes in the thread that writes, which looks at `asked` next. Nobody reads: not a second wish to end.
  if (!is_ignored(SIGPIPE))
    std::signal(SIGPIPE, [](int signal) {
      note(signal);
      asked = true;
    });
}

void release_signals() {
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
}

/// A signal may wait for the thread that answers it: the next step need not.
bool signalled() { return asked || waiting_signal() != 0; }

bool interrupted() { return wanted || signalled(); }

std::string signal_name() {
  const int signal = first;
  return name_of(signal != 0 ? signal : waiting_signal());
}

void want_end() { wanted = true; }

}  // namespace weft
