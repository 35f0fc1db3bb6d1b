/// Time in which others waited for one child, and how long a child that was disconnected for that is held back. No
/// clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <string>
#include <utility>

namespace weft::swarmx {

struct WaitLimits {
  std::chrono::milliseconds window{10000}, most{6000};
};

/// Adds up the intervals in which others waited.
class WaitAccount {
 public:
  using Time = std::chrono::steady_clock::time_point;
  explicit WaitAccount(WaitLimits limits = {}) : limits_(limits) {}

  /// Adds an interval, which must not begin before the last one has ended.
  void add(Time from, Time to) { waits_.emplace_back(from, to); }
  /// True if others waited for more than `most` of the last `window`.
  bool is_exceeded(Time now) {
    const Time first = now - limits_.window;
    while (!waits_.empty() && waits_.front().second <= first) waits_.pop_front();
    Time::duration all{};
    for (const auto& [from, to] : waits_) all += to - std::max(from, first);
    return all > limits_.most;
  }

 private:
  WaitLimits limits_;
  std::deque<std::pair<Time, Time>> waits_;  // oldest first
};

/// Until when children that were disconnected may not join again: kFirst, doubled each time, at most kLongest.
class HoldBack {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds kFirst{30}, kLongest{300};

  /// Notes that the child was disconnected. One that was not for 2 kLongest begins with kFirst again.
  void disconnect(const std::string& name, Time now) {
    Record& record = records_[name];
    const bool again = record.pause > record.pause.zero() && now - record.until < 2 * kLongest;
    record.pause = again ? std::min(2 * record.pause, kLongest) : kFirst;
    record.until = now + record.pause;
  }
  bool holds(const std::string& name, Time now) const {
    const auto at = records_.find(name);
    return at != records_.end() && now < at->second.until;
  }

 private:
  struct Record {
    std::chrono::seconds pause{0};
    Time until;
  };
  std::map<std::string, Record> records_;
};

}  // namespace weft::swarmx
