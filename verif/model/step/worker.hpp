/// A thread that does jobs one after the other.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "sw/base/failure.hpp"

namespace weft::model {

class Worker {
 public:
  /// What jobs throw goes to `failure`, which must outlive this. Throws std::system_error if the system has no thread.
  explicit Worker(FirstFailure& failure) : failure_(failure), thread_(guarded_thread(failure, [this] { serve(); })) {}
  /// Ends after the job at hand.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Does `job` after those posted before. If this throws, it does not.
  void post(std::function<void()> job);

 private:
  void serve();

  FirstFailure& failure_;
  std::mutex mutex_;  ///< of jobs_ and ending_
  std::condition_variable wake_;
  bool ending_ = false;
  std::deque<std::function<void()>> jobs_;
  std::atomic<int> posted_ = 0;  ///< jobs that nobody has begun
  std::jthread thread_;          ///< last: ends before what it uses
};

}  // namespace weft::model
