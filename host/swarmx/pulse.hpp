/// Says Alive to a parent in another process, every now and then, whatever the wafer's thread is at.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "host/swarmx/wire.hpp"
#include "sw/base/failure.hpp"

namespace weft {

class Pulse {
 public:
  /// `wire` must outlive this. If the parent is lost this ends: whoever reads from it knows as well.
  Pulse(Wire& wire, std::chrono::milliseconds every)
      : thread_(guarded_thread(lost_, [this, &wire, every] {
          std::unique_lock lock(mutex_);
          while (!changed_.wait_for(lock, every, [this] { return ended_; })) wire.say_alive();
        })) {}
  ~Pulse() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

 private:
  FirstFailure lost_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace weft
