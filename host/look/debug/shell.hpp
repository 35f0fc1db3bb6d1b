/// The debugger's commands: a line in, text out.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "host/look/debug/live.hpp"
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
  using Words = std::vector<std::string>;

  /// False: it is not one of these.
  bool look(const std::string& command, const std::string& rest);
  bool choose(const std::string& command, const std::string& rest);
  bool travel(const std::string& command, const Words& words);
  bool stop(const std::string& command, const Words& words);

  void execute(const Words& words, const std::string& rest);
  void tell(const std::string& what);
  /// Units until `done` says so, a stop is hit or nothing moves any more.
  template <class Done>
  void go(Live& live, Done done);
  void jump(Live& live, std::uint64_t to);

  Target& target_;
  std::ostream& out_;
  Stops stops_;
  TilePlace tile_{0, 0};
  bool psum_ = false, quit_ = false, failed_ = false;
};

/// What each command does.
void print_commands(std::ostream& out);

}  // namespace weft::debug
