#include "verif/model/step/worker.hpp"

#include <chrono>
#include <utility>

namespace weft::model {

namespace {

/// Time to spin before sleeping: the next job is usually near, and waking takes long. Other threads may use the core
/// meanwhile.
constexpr std::chrono::microseconds kAwake{100};

}  // namespace

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
}

void Worker::post(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    ++posted_;
  }
  wake_.notify_one();
}

void Worker::serve() {
  for (;;) {
    const auto start = std::chrono::steady_clock::now();
    while (!posted_ && std::chrono::steady_clock::now() - start < kAwake) std::this_thread::yield();
    std::function<void()> job;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
      if (ending_) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
      --posted_;
    }
    failure_.guard(job);
  }
}

}  // namespace weft::model
