/// A thread that does jobs one after the other.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace weft::model {

class Worker {
 public:
  Worker() : thread_([this](const std::stop_token& stop) { serve(stop); }) {}
  /// Ends after the job at hand.
  ~Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Does `job`, which must not throw, after those posted before.
  void post(std::function<void()> job);

 private:
  void serve(const std::stop_token& stop);

  std::mutex mutex_;  ///< of jobs_
  std::condition_variable_any wake_;
  std::deque<std::function<void()>> jobs_;
  std::atomic<int> posted_ = 0;  ///< jobs that nobody has begun
  std::jthread thread_;          ///< last: ends before what it uses
};

}  // namespace weft::model
