/// The debugger's commands: a line in, text out.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "host/look/debug/stops.hpp"

namespace weft::debug {

class Shell {
 public:
  Shell(Target& target, std::ostream& out) : target_(target), out_(out) {}

  /// False after `quit`. What a line gets wrong is printed, and throws nothing; WaferStuck is told, too.
  bool run(const std::string& line);
  /// "(0,0 main) "
  std::string prompt() const;
  /// A line was wrong, or the wafer stood still.
  bool failed() const { return failed_; }

 private:
  void execute(const std::vector<std::string>& words, const std::string& rest);
  void add_stop(const std::vector<std::string>& words);
  unsigned instruction(const std::string& text) const;
  /// Cycles until `done` says so, a stop is hit or nothing moves any more.
  template <class Done>
  void go(Done done);
  void step(std::uint64_t count);
  void beat(std::uint64_t count);

  Target& target_;
  std::ostream& out_;
  Stops stops_;
  TilePlace tile_{0, 0};
  bool psum_ = false, quit_ = false, failed_ = false;
};

/// What each command does.
void print_commands(std::ostream& out);

}  // namespace weft::debug
