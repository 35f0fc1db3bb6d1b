/// Credits: the number of frames that the other side allows to be sent.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "host/swarmx/base/progress_watchdog.hpp"

namespace weft::swarmx {

/// Thread-safe.
class FrameCredits {
 public:
  /// `watchdog` has work pending until close(); while there are no credits, all its pending work counts as waiting. May
  /// be null.
  explicit FrameCredits(std::uint64_t count, ProgressWatchdog* watchdog = nullptr)
      : count_(count), watchdog_(watchdog) {
    if (watchdog_ == nullptr) return;
    watchdog_->expect();
    if (count_ == 0) watchdog_->pause();
  }
  void add(std::uint64_t count) {
    const std::lock_guard lock(mutex_);
    if (count_ == 0 && watched()) watchdog_->resume();
    count_ += count;
    if (count_ == 0 && watched()) watchdog_->pause();
    changed_.notify_all();
  }
  /// Waits for a credit and spends it. Returns false if this is closed.
  bool take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || count_ > 0; });
    if (closed_) return false;
    if (--count_ == 0 && watched()) watchdog_->pause();
    return true;
  }
  void close() noexcept {
    const std::lock_guard lock(mutex_);
    if (watched()) {
      if (count_ == 0) watchdog_->resume();
      watchdog_->done();
    }
    closed_ = true;
    changed_.notify_all();
  }

 private:
  bool watched() const { return watchdog_ != nullptr && !closed_; }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t count_;
  ProgressWatchdog* watchdog_;
  bool closed_ = false;
};

}  // namespace weft::swarmx
