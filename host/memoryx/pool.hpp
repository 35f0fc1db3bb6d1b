/// Threads that a MemoryX has from its beginning to its end, so that no step can fail for want of one.
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

namespace weft {

/// Does one piece of work at a time, with several threads at once. What the work throws is kept: a pool that failed
/// once says so for ever. What is not said to be thread-safe, but for failure(), wait() and idle(), is for one thread
/// at a time, which is none of the pool's.
class Pool {
 public:
  /// 0: whoever calls does all by itself. Throws std::system_error if the system has fewer; those it had have ended
  /// then.
  explicit Pool(unsigned threads);
  /// After the work at hand.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::size_t size() const { return threads_.size(); }

  /// When what was started before is done, begins to call `work` once in each of min(count, size()) threads. It never
  /// fails: all that needs memory is in `work` already.
  void start(std::size_t count, std::function<void()> work) noexcept;
  /// One more call of the work that was started last, as soon as a thread is free for it. Thread-safe.
  void more() noexcept;
  /// The same as start() in the caller and count - 1 threads. Returns when all are done; throws as finish().
  void run(std::size_t count, std::function<void()> work);
  /// Returns when what was started is done.
  void wait() const noexcept;
  /// Whether wait() would return at once.
  bool idle() const noexcept;
  /// Waits, too; throws the first failure of all work so far.
  void finish() const;

  /// Counts up in `count`, which outlives it, whenever it has got on with something; nothing is under way.
  void count_progress(std::atomic<std::uint64_t>& count) { progress_ = &count; }
  /// Its work has got on. From any thread of it.
  void got_on() noexcept {
    if (progress_ != nullptr) progress_->fetch_add(1, std::memory_order_relaxed);
  }

  FirstFailure& failure() { return failure_; }
  const FirstFailure& failure() const { return failure_; }

 private:
  void serve();
  void end() noexcept;

  FirstFailure failure_;
  mutable std::mutex mutex_;  // of the next five
  std::condition_variable wake_;
  mutable std::condition_variable idle_;
  std::function<void()> work_;
  std::size_t wanted_ = 0;  // calls of work_ that no thread has begun
  std::size_t left_ = 0;    // that have not ended
  bool ending_ = false;
  std::atomic<std::uint64_t>* progress_ = nullptr;  // null: nobody looks
  std::vector<std::jthread> threads_;
};

}  // namespace weft
