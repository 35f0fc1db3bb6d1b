#include "verif/model/worker.hpp"

#include <chrono>
#include <utility>

namespace weft::model {

namespace {

/// The next job is seldom far, and waking takes long; whoever else wants the core gets it.
constexpr std::chrono::microseconds kAwake{100};

}  // namespace

void Worker::post(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    ++posted_;
  }
  wake_.notify_one();
}

void Worker::serve(const std::stop_token& stop) {
  for (;;) {
    const auto start = std::chrono::steady_clock::now();
    while (!posted_ && std::chrono::steady_clock::now() - start < kAwake) std::this_thread::yield();
    std::function<void()> job;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return !jobs_.empty(); }) || stop.stop_requested()) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
      --posted_;
    }
    job();
  }
}

}  // namespace weft::model
