/// Credits: the number of frames that the other side allows to be sent.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "host/swarmx/base/progress_watchdog.hpp"

namespace weft {

/// Thread-safe.
class FrameCredits {
 public:
  /// `pulse` has work pending until close(); while there are no credits, all its pending work counts as waiting. May be
  /// null.
  explicit FrameCredits(std::uint64_t count, Pulse* pulse = nullptr) : count_(count), pulse_(pulse) {
    if (pulse_ == nullptr) return;
    pulse_->owe();
    if (count_ == 0) pulse_->put_off();
  }
  void add(std::uint64_t count) {
    const std::lock_guard lock(mutex_);
    if (count_ == 0 && looked_at()) pulse_->go_on();
    count_ += count;
    if (count_ == 0 && looked_at()) pulse_->put_off();
    changed_.notify_all();
  }
  /// Waits for a credit and spends it. Returns false if this is closed.
  bool take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || count_ > 0; });
    if (closed_) return false;
    if (--count_ == 0 && looked_at()) pulse_->put_off();
    return true;
  }
  void close() noexcept {
    const std::lock_guard lock(mutex_);
    if (looked_at()) {
      if (count_ == 0) pulse_->go_on();
      pulse_->pay();
    }
    closed_ = true;
    changed_.notify_all();
  }

 private:
  bool looked_at() const { return pulse_ != nullptr && !closed_; }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t count_;
  Pulse* pulse_;
  bool closed_ = false;
};

}  // namespace weft
