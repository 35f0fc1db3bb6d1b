/// Interprets the debugger's commands: a line in, text out.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "host/inspect/debug/breakpoints.hpp"
#include "host/inspect/debug/live_target.hpp"

namespace weft::inspect::debug {

class Shell {
 public:
  Shell(Target& target, std::ostream& out) : target_(target), out_(out) {}

  /// Executes a line. Returns false after `quit`. Errors in the line, and WaferHang, are printed and not thrown.
  bool run(const std::string& line);
  /// "(0,0 main) "
  std::string prompt() const;
  /// True if a line was invalid or the wafer hung.
  bool failed() const { return failed_; }

 private:
  using Words = std::vector<std::string>;

  /// Each of the next four executes a command of its group. They return false if `command` is not in the group.
  bool inspect(const std::string& command, const std::string& rest);
  bool choose(const std::string& command, const std::string& rest);
  bool travel(const std::string& command, const Words& words);
  bool stop(const std::string& command, const Words& words);

  void execute(const Words& words, const std::string& rest);
  void print_error(const std::string& what);
  /// Executes units until `done` returns true, a breakpoint is hit or nothing moves any more.
  template <class Done>
  void go(LiveTarget& live, Done done);
  void jump(LiveTarget& live, std::uint64_t to);

  Target& target_;
  std::ostream& out_;
  Breakpoints breakpoints_;
  sim::TilePlace tile_{0, 0};
  bool psum_ = false, quit_ = false, failed_ = false;
};

/// Prints a description of each command.
void print_commands(std::ostream& out);

}  // namespace weft::inspect::debug
