/// Where a thread waits for what another one does. Whatever happens it wakes: if the run fails, it throws that failure.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "sw/base/failure.hpp"

namespace weft {

/// So long others are waited for to come without a word.
inline constexpr std::chrono::milliseconds kQuiet{3000};

class Waiting {
 public:
  /// `run` must outlive this, and its `wake` must call ours.
  explicit Waiting(const FirstFailure& run) : run_(run) {}

  /// Guards what `ready` looks at.
  std::mutex mutex;

  /// Waits, with `lock` on `mutex`, until ready() or the run's failure, which is thrown.
  template <class Ready>
  void until(std::unique_lock<std::mutex>& lock, Ready ready) {
    changed_.wait(lock, [&] { return run_.happened() || ready(); });
    run_.check();
  }
  /// The same, but no longer than until `end`: whether ready() was.
  template <class Ready>
  bool until(std::unique_lock<std::mutex>& lock, std::chrono::steady_clock::time_point end, Ready ready) {
    const bool was = changed_.wait_until(lock, end, [&] { return run_.happened() || ready(); });
    run_.check();
    return was;
  }
  /// What `ready` looks at has changed.
  void notify() noexcept { changed_.notify_all(); }
  /// The run has failed. Not to be called with `mutex` held.
  void wake() noexcept {
    { const std::lock_guard seen(mutex); }  // who is about to wait does so, or has seen the failure
    changed_.notify_all();
  }

 private:
  const FirstFailure& run_;
  std::condition_variable changed_;
};

}  // namespace weft
