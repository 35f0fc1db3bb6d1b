/// A debugger for a run of a program of one's own (docs/howto/debugging.md).
#pragma once

#include <memory>
#include <string>

#include "weft/export.hpp"
#include "weft/log.hpp"

namespace weft {
inline namespace v0 {

/// Made by Wafer::debug(). Runs forwards and backwards, on a wafer of its own. Used by one thread at a time; a call
/// during another one throws Error.
class WEFT_API Debugger {
 public:
  ~Debugger();
  Debugger(Debugger&&) noexcept;
  Debugger& operator=(Debugger&&) noexcept;

  /// Executes a command line, such as "break mine.s:12" or "continue", and returns what it prints, with a message and a
  /// hint if the line is wrong. `help` lists the commands. `interrupted` is asked from time to time while the wafer
  /// runs.
  std::string command(const std::string& line, const Interrupted& interrupted = {});
  /// The tile and the thread of the next command: "(0,0 main) ".
  std::string prompt() const;
  /// True after the command quit.
  bool over() const;
  /// True if a line was wrong, or the wafer hung.
  bool failed() const;

  class WEFT_LOCAL Impl;
  explicit WEFT_LOCAL Debugger(std::unique_ptr<Impl> impl);

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace v0
}  // namespace weft
