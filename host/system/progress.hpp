/// Progress display: a bar on a terminal, or an occasional line elsewhere.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

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

  /// Begins to display the progress of `name`, which has `all` parts; 0: their number is unknown, and the time so far
  /// is displayed instead of the time left.
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

/// Displays how long an operation without parts has taken so far, from a thread of its own.
class ElapsedTime {
 public:
  /// Begins to display the time of `name`; `progress` null: displays nothing. No other thread may write to the terminal
  /// while this object exists.
  ElapsedTime(Progress* progress, std::string name);
  /// Clears the line.
  ~ElapsedTime();
  ElapsedTime(const ElapsedTime&) = delete;
  ElapsedTime& operator=(const ElapsedTime&) = delete;

 private:
  Progress* const progress_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread thread_;
};

/// Displays how long `work` takes, and returns its result.
template <class Work>
auto timed(Progress* progress, std::string name, const Work& work) {
  const ElapsedTime time(progress, std::move(name));
  return work();
}

}  // namespace weft::system
