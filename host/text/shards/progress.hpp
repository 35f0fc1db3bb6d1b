/// How far something is, on a terminal's own line or, elsewhere, a line now and then.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace weft::text {

/// Says nothing in the first two seconds: what is over then needs no progress.
class Progress {
 public:
  /// `terminal`: whether `out` is one; it gets a line that is written over, others a line each ten seconds.
  Progress(std::string name, std::ostream& out, bool terminal);
  /// Clears the terminal's line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of `all`, and `bytes` of text by now.
  void show(std::uint64_t done, std::uint64_t all, std::uint64_t bytes);

 private:
  using Clock = std::chrono::steady_clock;

  std::string name_;
  std::ostream& out_;
  bool terminal_, shown_ = false;
  Clock::time_point begin_ = Clock::now(), next_ = begin_ + std::chrono::seconds(2);
};

}  // namespace weft::text
