/// A thread that executes jobs one after the other.
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
  /// Exceptions of jobs go to `failure`, which must outlive the worker. Throws std::system_error if no thread can be
  /// created.
  explicit Worker(FirstFailure& failure) : failure_(failure), thread_(guarded_thread(failure, [this] { serve(); })) {}
  /// Ends after the current job.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Executes `job` after those posted before. If post() throws, the job is not executed.
  void post(std::function<void()> job);

 private:
  void serve();

  FirstFailure& failure_;
  std::mutex mutex_;  ///< protects jobs_ and ending_
  std::condition_variable wake_;
  bool ending_ = false;
  std::deque<std::function<void()>> jobs_;
  std::atomic<int> posted_ = 0;  ///< jobs not begun
  std::jthread thread_;          ///< last member: ends before what it uses
};

}  // namespace weft::model
