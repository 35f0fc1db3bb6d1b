/// Calls of the library without the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <utility>

#include "weft/log.hpp"

namespace weft_python {

/// Runs Python's signal handlers during a call without the GIL, and keeps the exception that one of them raises.
class Interrupts {
 public:
  weft::Interrupted check() {
    return [this] {
      const nanobind::gil_scoped_acquire gil;
      if (!raised_ && PyErr_CheckSignals() != 0) raised_.emplace();
      return raised_.has_value();
    };
  }
  /// Calls `work` with the GIL, and keeps an exception of Python that it throws. Returns true if there is one, from now
  /// or before.
  template <class Work>
  bool call(const Work& work) {
    const nanobind::gil_scoped_acquire gil;
    if (raised_) return true;
    try {
      work();
    } catch (nanobind::python_error& error) {
      raised_.emplace(std::move(error));
    }
    return raised_.has_value();
  }
  /// With the GIL: raises the exception of a handler, now or before.
  void raise() {
    if (raised_) {  // kept no longer: its traceback may own what owns this object
      nanobind::python_error error = std::move(*raised_);
      raised_.reset();
      throw error;
    }
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
  }

 private:
  std::optional<nanobind::python_error> raised_;
};

/// Runs `work` without the GIL, then the handlers of signals that arrived meanwhile.
template <class Work>
auto without_gil(const Work& work) {
  auto result = [&] {
    const nanobind::gil_scoped_release released;
    return work();
  }();
  Interrupts().raise();
  return result;
}

/// Calls `work` with a check for signals, without the GIL.
template <class Work>
auto interruptible(const Work& work) {
  Interrupts interrupts;
  const auto result = [&] {
    const nanobind::gil_scoped_release released;
    return work(interrupts.check());
  }();
  interrupts.raise();
  return result;
}

}  // namespace weft_python
