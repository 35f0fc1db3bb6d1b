/// How many frames may be sent: as many as the other side has said.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace weft {

/// Thread-safe.
class FrameCredits {
 public:
  explicit FrameCredits(std::uint64_t count) : count_(count) {}
  void add(std::uint64_t count) {
    const std::lock_guard lock(mutex_);
    count_ += count;
    changed_.notify_all();
  }
  /// Waits for one. False: there will be none, it is closed.
  bool take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || count_ > 0; });
    if (closed_) return false;
    --count_;
    return true;
  }
  void close() noexcept {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t count_;
  bool closed_ = false;
};

}  // namespace weft
