/// Exceptions of threads and coroutines: none ends in std::terminate, and the first one is kept for the owner.
///
/// Code that starts a thread or spawns a coroutine has a FirstFailure that outlives it. The work itself does not handle
/// its exceptions: `guard`, `guarded_thread` and `ending` do.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace weft {

class FirstFailure {
 public:
  /// `wake` is called after the first failure, in the failing thread, to wake threads that wait. It must not throw.
  explicit FirstFailure(std::function<void()> wake = {}) : wake_(std::move(wake)) {}
  FirstFailure(const FirstFailure&) = delete;
  FirstFailure& operator=(const FirstFailure&) = delete;

  /// Keeps `failure`, unless it is null or not the first. Thread-safe, like all functions of this class.
  void set(std::exception_ptr failure) noexcept;
  bool happened() const noexcept { return happened_.load(std::memory_order_acquire); }
  /// Throws the failure, if there is one.
  void check() const;
  /// The failure, or null.
  std::exception_ptr get() const noexcept;

  /// Runs `work` and keeps an exception that it throws.
  template <class Work>
  void guard(Work&& work) noexcept {
    try {
      std::forward<Work>(work)();
    } catch (...) {
      set(std::current_exception());
    }
  }

  /// Completion handler for co_spawn.
  auto ending() noexcept {
    return [this](std::exception_ptr failure) noexcept { set(std::move(failure)); };
  }

 private:
  mutable std::mutex mutex_;
  std::exception_ptr failure_;
  std::atomic<bool> happened_{false};
  std::function<void()> wake_;
};

/// Starts a thread that runs `work` and passes exceptions to `failure`, which must outlive the thread. Throws
/// std::system_error if the thread cannot be started.
template <class Work>
std::jthread guarded_thread(FirstFailure& failure, Work work) {
  return std::jthread([&failure, work = std::move(work)]() mutable { failure.guard(work); });
}

}  // namespace weft
