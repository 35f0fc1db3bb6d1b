/// When a process that reads the data and was sent away comes again.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

namespace weft {

/// At once after a session that lasted; else later each time. So two that were started as the same rank, and take each
/// other's place, neither fill a log nor a processor. Nobody waits for them: meanwhile the root reads the data.
class Again {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kFirst{20}, kLongest{5000}, kLasted{10000};

  /// A session of `time` is over: how long to wait until the next.
  std::chrono::milliseconds after(Clock::duration time) {
    if (time >= kLasted) pause_ = {};
    const auto now = pause_;
    pause_ = std::min(std::max(kFirst, pause_ * 2), kLongest);
    return now;
  }
  /// Waits so long, or until `leave` (null: never). Returns whether it was that.
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

}  // namespace weft
