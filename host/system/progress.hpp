/// Progress display: a bar on a terminal, or an occasional line elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <string>

namespace weft::system {

/// Prints nothing in the first two seconds, so that short operations stay silent. Thread-safe.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  /// `terminal`: `out` is a terminal and gets one line that is overwritten; other outputs get a line every ten seconds.
  Progress(std::ostream& out, bool terminal, std::function<Clock::time_point()> now = Clock::now);
  /// Clears the line on the terminal.
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Begins to display the progress of `name`, which has `all` parts.
  void begin(std::string name, std::uint64_t all);
  /// `done` parts are done, with `bytes` bytes of text; 0 if there is no text.
  void show(std::uint64_t done, std::uint64_t bytes = 0);
  /// Counts one more part as done.
  void add();
  /// Clears the terminal's line for other output.
  void clear();

 private:
  void draw(std::uint64_t bytes);

  std::mutex mutex_;
  std::ostream& out_;
  const bool terminal_;
  const std::function<Clock::time_point()> now_;
  bool shown_ = false;
  std::string name_;
  std::uint64_t done_ = 0, all_ = 0;
  Clock::time_point begin_, next_;
};

}  // namespace weft::system
