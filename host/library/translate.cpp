#include "host/library/translate.hpp"

#include <array>
#include <string>
#include <string_view>

#include "host/cli/failure.hpp"
#include "sw/base/refusal.hpp"

namespace weft::library {
namespace {

constexpr std::string_view kCommandLine = "command line", kArguments = "arguments";

/// Replaces the place "command line" at the beginnings of lines.
std::string with_arguments(std::string text) {
  for (std::size_t at = 0; at != std::string::npos; at = text.find('\n', at)) {
    if (text[at] == '\n') ++at;
    if (text.compare(at, kCommandLine.size() + 1, std::string(kCommandLine) + ":") == 0)
      text.replace(at, kCommandLine.size(), kArguments);
  }
  return text;
}

/// Parts of a message "subject: problem. HINT: action." that was not thrown as a Refusal.
Error::Parts parts_of(std::string_view text) {
  constexpr std::string_view kHint = ". HINT: ";
  Error::Parts parts;
  if (const std::size_t hint = text.find(kHint); hint != std::string_view::npos) {
    parts.hint = text.substr(hint + kHint.size());
    if (parts.hint.ends_with('.')) parts.hint.pop_back();
    text = text.substr(0, hint);
  }
  const std::size_t colon = text.find(": ");
  if (colon != std::string_view::npos) parts.subject = text.substr(0, colon);
  parts.problem = text.substr(colon == std::string_view::npos ? 0 : colon + 2);
  return parts;
}

}  // namespace

void throw_error() {
  const cli::Failure failure = [] {
    try {
      throw;
    } catch (const Error&) {
      throw;
    } catch (...) {
      return cli::current_failure();
    }
  }();
  const std::string text = with_arguments(failure.text);
  Error::Parts parts;
  try {
    throw;
  } catch (const Refusal& e) {
    parts = {.place = e.place() == kCommandLine ? std::string(kArguments) : e.place(),
             .subject = e.subject(),
             .problem = e.problem(),
             .hint = e.hint()};
  } catch (...) {
    parts = parts_of(text);
  }
  parts.exit_code = failure.exit_code;
  throw Error(text, std::move(parts));
}

SignalsHeld::SignalsHeld() {
  ::sigemptyset(&held_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGCHLD, SIGWINCH}) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)
      ::sigaddset(&held_, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &held_, &before_);
}

SignalsHeld::~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

bool SignalsHeld::deliver(const Interrupted& ask) const {
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  const bool ends = ask();
  ::pthread_sigmask(SIG_BLOCK, &held_, nullptr);
  return ends;
}

}  // namespace weft::library
