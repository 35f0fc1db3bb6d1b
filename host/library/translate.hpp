/// The border of the library: exceptions, floating-point modes and signals of the calling program.
#pragma once

#include <csignal>
#include <exception>
#include <utility>

#include "sw/base/flushed_float.hpp"
#include "weft/error.hpp"
#include "weft/log.hpp"

namespace weft::library {

/// Converts the exception that is being handled to an Error with the text that `weft` prints; messages have "arguments"
/// in place of "command line". Rethrows an Error, and what is no std::exception.
[[noreturn]] void throw_error();

/// Sets this thread's default floating-point mode while in scope. Other libraries of a program may have set FTZ or
/// another rounding, which would change bits; threads started in this scope inherit the mode.
class DefaultFloatMode {
 public:
  DefaultFloatMode() : saved_(FloatMode::get()) { FloatMode::set(FloatMode::kDefault); }
  ~DefaultFloatMode() { FloatMode::set(saved_); }
  DefaultFloatMode(const DefaultFloatMode&) = delete;
  DefaultFloatMode& operator=(const DefaultFloatMode&) = delete;

 private:
  const unsigned saved_;
};

/// Holds back signals for which the program has a handler while in scope, in this thread and in threads started by it,
/// so that no handler interrupts a system call of the library. The signals are delivered at the end of the scope.
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

  /// Delivers the held signals now, and returns ask().
  bool deliver(const Interrupted& ask) const;

 private:
  sigset_t held_, before_;
};

/// Runs `work`, which gets the SignalsHeld, as a call of the library.
template <class Work>
auto called(const Work& work) {
  const SignalsHeld signals;
  const DefaultFloatMode mode;
  try {
    return work(signals);
  } catch (const std::exception&) {
    throw_error();
  }
}

}  // namespace weft::library
