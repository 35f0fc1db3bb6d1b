/// The debugger for a run of a program of one's own (docs/howto/debugging.md).
#pragma once

#include <functional>
#include <memory>
#include <sstream>
#include <string>

#include "host/inspect/debug/shell.hpp"
#include "host/programs/replay.hpp"

namespace weft::inspect::own {

/// Executes the run on a wafer of its own, of the same backend, from the state that the replay has.
class Debugger {
 public:
  explicit Debugger(weft::programs::Replay run);

  /// Executes a command line and returns its output, with errors. `interrupted` is asked from time to time: true ends a
  /// command that runs the wafer.
  std::string command(const std::string& line, std::function<bool()> interrupted = {});
  /// "(0,0 main) "
  std::string prompt() const { return shell_.prompt(); }
  /// True after the command quit.
  bool over() const { return over_; }
  /// True if a line was wrong, or the wafer hung.
  bool failed() const { return shell_.failed(); }

 private:
  std::unique_ptr<debug::LiveTarget> target_;
  std::ostringstream out_;
  debug::Shell shell_;
  bool over_ = false;
};

}  // namespace weft::inspect::own
