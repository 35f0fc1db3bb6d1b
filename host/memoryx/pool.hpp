/// The threads of a MemoryX, created once, so that no step can fail for lack of one.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "sw/base/failure.hpp"

namespace weft::memoryx {

/// Runs one task at a time on several threads. Exceptions of the task are kept: a pool that failed once reports that
/// failure from then on. Functions that are not marked thread-safe, except failure(), wait() and idle(), are for one
/// thread at a time, which must not be one of the pool's.
class Pool {
 public:
  /// 0 threads: the caller does all the work. Throws std::system_error if the system cannot provide the threads; those
  /// already started have then ended.
  explicit Pool(unsigned threads);
  /// Waits for the work under way.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::size_t size() const { return threads_.size(); }

  /// Waits for the previous work, then begins to call `work` once in each of min(count, size()) threads. Never fails:
  /// `work` already holds all the memory it needs.
  void start(std::size_t count, std::function<void()> work) noexcept;
  /// Adds one call of the work that was started last, as soon as a thread is free for it. Thread-safe.
  void add_call() noexcept;
  /// As start(), but in the caller and count - 1 threads. Returns when all calls are done; throws as finish().
  void run(std::size_t count, std::function<void()> work);
  /// Returns when the started work is done.
  void wait() const noexcept;
  /// True if wait() would return at once.
  bool idle() const noexcept;
  /// As wait(), but throws the first failure of all work so far.
  void finish() const;

  /// Increments `count`, which must outlive this, whenever the work makes progress. Must not be called while work is
  /// under way.
  void count_progress(std::atomic<std::uint64_t>& count) { progress_ = &count; }
  /// Reports progress of the work. From any thread of the pool.
  void report_progress() noexcept {
    if (progress_ != nullptr) progress_->fetch_add(1, std::memory_order_relaxed);
  }

  FirstFailure& failure() { return failure_; }
  const FirstFailure& failure() const { return failure_; }

 private:
  void serve();
  void end() noexcept;

  FirstFailure failure_;
  mutable std::mutex mutex_;  // guards the next five members
  std::condition_variable wake_;
  mutable std::condition_variable idle_;
  std::function<void()> work_;
  std::size_t wanted_ = 0;  // calls of work_ that no thread has begun
  std::size_t left_ = 0;    // calls of work_ that have not ended
  bool ending_ = false;
  std::atomic<std::uint64_t>* progress_ = nullptr;  // null: progress is not counted
  std::vector<std::jthread> threads_;
};

}  // namespace weft::memoryx
