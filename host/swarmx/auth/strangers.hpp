/// Those who were not let in: how many, and what was wrong with the last. A summary, however many come.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace weft {

/// Thread-safe.
class Strangers {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds kBetweenLines{10};

  /// An error's text, on one line, without what follows ". HINT".
  static std::string summary(const std::string& why);
  /// `why` names who it was.
  void add(const std::string& why);
  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }
  std::string last() const {
    const std::lock_guard lock(mutex_);
    return last_;
  }
  /// "3 were not let in, the last: ...", of those since the last line; empty: none, or too soon after it.
  std::string line(Time now);
  /// The same, however soon: at the end.
  std::string last_line();

 private:
  mutable std::mutex mutex_;
  std::size_t count_ = 0, told_ = 0;
  std::string last_;
  Time next_{};
};

}  // namespace weft
