/// How threads and coroutines end: none by std::terminate, and what the first of them met is kept for their owner.
///
/// Whoever starts a thread or spawns a coroutine has a FirstFailure that outlives it. The work never looks after its
/// own exceptions: `guard`, `guarded_thread` and `ending` do.
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
  /// `wake` is called after the first failure, in the thread that met it: whoever waits looks again. It must not throw.
  explicit FirstFailure(std::function<void()> wake = {}) : wake_(std::move(wake)) {}
  FirstFailure(const FirstFailure&) = delete;
  FirstFailure& operator=(const FirstFailure&) = delete;

  /// Keeps `failure`, unless it is null or there is one. Thread-safe, as all of these are.
  void set(std::exception_ptr failure) noexcept;
  bool happened() const noexcept { return happened_.load(std::memory_order_acquire); }
  /// Throws the failure, if there is one.
  void check() const;
  /// Null: none.
  std::exception_ptr get() const noexcept;

  /// Runs `work`; what it throws is kept.
  template <class Work>
  void guard(Work&& work) noexcept {
    try {
      std::forward<Work>(work)();
    } catch (...) {
      set(std::current_exception());
    }
  }

  /// For co_spawn: the handler of a coroutine's end.
  auto ending() noexcept {
    return [this](std::exception_ptr failure) noexcept { set(std::move(failure)); };
  }

 private:
  mutable std::mutex mutex_;
  std::exception_ptr failure_;
  std::atomic<bool> happened_{false};
  std::function<void()> wake_;
};

/// A thread that does `work`; what it throws goes to `failure`, which must outlive it. Throws std::system_error if the
/// system has no thread.
template <class Work>
std::jthread guarded_thread(FirstFailure& failure, Work work) {
  return std::jthread([&failure, work = std::move(work)]() mutable { failure.guard(work); });
}

}  // namespace weft
