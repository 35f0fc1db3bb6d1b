/// Reconnect backoff of a data rank that the root has sent away.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

namespace weft::swarmx {

/// No delay the first time and after a session of at least kLasted; otherwise an increasing one. Two processes that
/// were started as the same rank, and replace each other repeatedly, thus fill neither the log nor the processor. The
/// delay stalls nothing: the root reads the data itself meanwhile.
class Backoff {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kFirst{20}, kLongest{5000}, kLasted{10000};

  /// Returns how long to wait before the next session, after one that took `time`.
  std::chrono::milliseconds after(Clock::duration time) {
    if (time >= kLasted) pause_ = {};
    const auto now = pause_;
    pause_ = std::min(std::max(kFirst, pause_ * 2), kLongest);
    return now;
  }
  /// Waits for after(time), or until `leave` returns true (null: never). Returns whether `leave` ended the wait.
  bool wait(Clock::duration time, const std::function<bool()>& leave) {
    const Clock::time_point end = Clock::now() + after(time);
    while (Clock::now() < end) {
      if (leave && leave()) return true;
      std::this_thread::sleep_for(std::min<Clock::duration>(kFirst, end - Clock::now()));
    }
    return false;
  }

 private:
  std::chrono::milliseconds pause_{0};
};

}  // namespace weft::swarmx
