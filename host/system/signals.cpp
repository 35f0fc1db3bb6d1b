#include "host/system/signals.hpp"

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
#include <utility>

#include "host/checkpoint/creation_lock.hpp"
#include "host/checkpoint/file.hpp"
#include "host/checkpoint/provisional.hpp"
#include "sw/base/failure.hpp"

namespace weft::system {
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

std::atomic<bool> saves{false};  // a signal requests the end instead of ending the program
std::atomic<bool> asked{false};
std::atomic<int> first{0};  // the first signal
std::atomic<bool> wanted{false};
std::atomic<const char*> answer{nullptr};

thread_local const InterruptCheck* current_check = nullptr;

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void say(std::string_view line) {
  [[maybe_unused]] const ssize_t heard = ::write(STDERR_FILENO, line.data(), line.size());
}

[[noreturn]] void end() {
  checkpoint::making().lock();  // never released
  checkpoint::discard_unfinished();
  checkpoint::discard_provisional();
  ::_exit(kInterruptedExit);
}

void note(int signal) {
  int none = 0;
  first.compare_exchange_strong(none, signal);
}

/// A pending signal that the handler thread has not processed yet; 0 if there is none.
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
    ::pthread_sigmask(SIG_BLOCK, &others, nullptr);  // in this thread, and in those that it starts from now on
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
  FirstFailure failure_{[] { asked = true; }};  // without the handler, the run could not be interrupted any more
  std::jthread thread_;                         // last, so that it ends before the members it uses
};

Interrupts::Interrupts() {
  std::signal(SIGXFSZ, SIG_IGN);
  impl_ = std::make_unique<Impl>();
}

Interrupts::~Interrupts() = default;

void catch_interrupts(const char* what_follows) {
  answer = what_follows;
  saves = true;
  // Delivered to the writing thread, which checks `asked` next. A missing reader does not count as a second request to
  // end.
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

/// Also counts pending signals that the handler thread has not processed, so that no further step begins.
bool was_signalled() { return asked || waiting_signal() != 0; }

InterruptCheck::InterruptCheck(std::function<bool()> check) : check_(std::move(check)), before_(current_check) {
  current_check = this;
}

InterruptCheck::~InterruptCheck() { current_check = before_; }

bool interrupted() {
  return wanted || was_signalled() || (current_check != nullptr && current_check->check_ && current_check->check_());
}

std::string signal_name() {
  const int signal = first;
  return name_of(signal != 0 ? signal : waiting_signal());
}

void request_end() { wanted = true; }

}  // namespace weft::system
