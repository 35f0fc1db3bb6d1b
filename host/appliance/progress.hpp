/// How far something is: a bar on a terminal's own line or, elsewhere, a line now and then.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <string>

namespace weft {

/// Says nothing of the first two seconds: what is over then needs no progress. Thread-safe.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  /// `terminal`: whether `out` is one; it gets a line that is written over, others a line each ten seconds.
  Progress(std::ostream& out, bool terminal, std::function<Clock::time_point()> now = Clock::now);
  /// Clears the terminal's line.
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// From now on it is about `name`, which has `all` parts.
  void begin(std::string name, std::uint64_t all);
  /// `done` of all by now, and so many `bytes` of text; 0: it is no text.
  void show(std::uint64_t done, std::uint64_t bytes = 0);
  /// One more part is done.
  void add();
  /// The terminal's line is free for others.
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

}  // namespace weft
