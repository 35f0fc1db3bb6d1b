/// Summary of rejected peers: their number, and the problem of the last one, however many there are.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace weft::swarmx {

/// Thread-safe.
class RejectedPeers {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds kBetweenLines{10};

  /// Returns an error's text, on one line, without the part from ". HINT" on.
  static std::string summary(const std::string& why);
  /// Counts a rejected peer, which `why` names.
  void add(const std::string& why);
  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }
  std::string last() const {
    const std::lock_guard lock(mutex_);
    return last_;
  }
  /// Returns "3 were rejected, the last: ...", about peers since the last line; empty: none, or too soon after it.
  std::string line(Time now);
  /// Returns that line even if it is too soon, for the end.
  std::string last_line();

 private:
  mutable std::mutex mutex_;
  std::size_t count_ = 0, reported_ = 0;
  std::string last_;
  Time next_{};
};

}  // namespace weft::swarmx
