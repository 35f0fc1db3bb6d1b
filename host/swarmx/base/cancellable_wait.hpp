/// Cancellable wait for another thread: a failure of the run wakes the waiting thread, which throws that failure.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "sw/base/failure.hpp"

namespace weft::swarmx {

/// A wait for others is not logged before this time.
inline constexpr std::chrono::milliseconds kQuiet{3000};

class CancellableWait {
 public:
  /// `run` must outlive this, and its `wake` must call `wake` of this object.
  explicit CancellableWait(const FirstFailure& run) : run_(run) {}

  /// Guards what `ready` reads.
  std::mutex mutex;

  /// Waits, with `lock` on `mutex`, until ready() or the run's failure, which is thrown.
  template <class Ready>
  void until(std::unique_lock<std::mutex>& lock, Ready ready) {
    changed_.wait(lock, [&] { return run_.happened() || ready(); });
    run_.check();
  }
  /// As above, but not beyond `end`. Returns the last ready().
  template <class Ready>
  bool until(std::unique_lock<std::mutex>& lock, std::chrono::steady_clock::time_point end, Ready ready) {
    const bool was = changed_.wait_until(lock, end, [&] { return run_.happened() || ready(); });
    run_.check();
    return was;
  }
  /// Must be called after a change of what `ready` reads.
  void notify() noexcept { changed_.notify_all(); }
  /// Must be called after a failure of the run, not with `mutex` held.
  void wake() noexcept {
    { const std::lock_guard seen(mutex); }  // a thread about to wait has begun to, or has seen the failure
    changed_.notify_all();
  }

 private:
  const FirstFailure& run_;
  std::condition_variable changed_;
};

}  // namespace weft::swarmx
