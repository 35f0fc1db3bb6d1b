/// Longest stall of the thread that runs an executor: how late it handles a timer.
#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>

namespace weft::swarmx {

/// Must outlive the executor's work. A stall is seen up to kInterval too short.
class StallMeter {
 public:
  static constexpr std::chrono::milliseconds kInterval{50};
  explicit StallMeter(const boost::asio::any_io_executor& executor) : timer_(executor) {}

  /// Measures from now on, until stop(). Both must be called on the executor's thread, or before it runs.
  void start() {
    const Clock::time_point due = Clock::now() + kInterval;
    due_ = due.time_since_epoch().count();
    timer_.expires_at(due);
    timer_.async_wait([this](const boost::system::error_code& error) {
      if (error || stopped_) return;
      note();
      start();
    });
  }
  void stop() {
    stopped_ = true;
    due_ = 0;
    timer_.cancel();
  }

  /// Forgets stalls before now. From any thread, like longest().
  void begin() noexcept { longest_ = 0; }
  /// Returns the longest stall since begin(), in seconds; one that still lasts counts.
  double longest() noexcept {
    note();
    return std::chrono::duration<double>(Clock::duration(longest_.load())).count();
  }

 private:
  using Clock = std::chrono::steady_clock;

  void note() noexcept {
    const Clock::rep due = due_;
    if (due == 0) return;
    const Clock::rep late = Clock::now().time_since_epoch().count() - due;
    Clock::rep before = longest_;
    while (late > before && !longest_.compare_exchange_weak(before, late)) {
    }
  }

  boost::asio::steady_timer timer_;
  std::atomic<Clock::rep> due_{0}, longest_{0};
  bool stopped_ = false;
};

}  // namespace weft::swarmx
