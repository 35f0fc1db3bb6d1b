/// Progress watchdog. A worker thread increments a counter and notes when it waits; a monitor thread checks that the
/// counter advances while work is pending. Helper threads may be watched together with the worker.
#pragma once

#include <atomic>
#include <cstdint>

namespace weft::swarmx {

class ProgressWatchdog {
 public:
  /// The counter, which any watched thread increments.
  std::atomic<std::uint64_t>& count() { return count_; }

  /// Announces a frame for the worker, before the frame is sent.
  void announce_frame() { ++announced_; }
  /// Resets the watchdog: the worker begins, and no frame is pending.
  void reset() {
    announced_ = read_ = 0;
    expected_ = pauses_ = 0;
    receiver_waits_ = false;
  }

  /// Counts a pending piece of work of the helper threads, until it is done. Any thread may call these.
  void expect() { ++expected_; }
  void done() {
    ++count_;
    --expected_;
  }
  /// Notes that all pending work of the helpers waits for another process, until resume().
  void pause() { ++pauses_; }
  void resume() {
    ++count_;
    --pauses_;
  }

  /// Calls pause, and resume at its end. Null: no watchdog.
  class Pause {
   public:
    explicit Pause(ProgressWatchdog* watchdog) : watchdog_(watchdog) {
      if (watchdog_ != nullptr) watchdog_->pause();
    }
    ~Pause() {
      if (watchdog_ != nullptr) watchdog_->resume();
    }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    ProgressWatchdog* watchdog_;
  };

  /// Marks the worker as idle while this lives, as when it waits for memory. Null: no watchdog.
  class Idle {
   public:
    explicit Idle(ProgressWatchdog* watchdog) : watchdog_(watchdog) {
      if (watchdog_ != nullptr) ++watchdog_->idles_;
    }
    ~Idle() {
      if (watchdog_ == nullptr) return;
      ++watchdog_->count_;
      --watchdog_->idles_;
    }
    Idle(const Idle&) = delete;
    Idle& operator=(const Idle&) = delete;

   private:
    ProgressWatchdog* watchdog_;
  };

  /// Marks the worker as reading a frame while this lives: no work is pending until a frame is announced. Null: no
  /// watchdog.
  class Reading {
   public:
    explicit Reading(ProgressWatchdog* watchdog) : watchdog_(watchdog) {
      if (watchdog_ != nullptr) watchdog_->reads_ = true;
    }
    ~Reading() {
      if (watchdog_ == nullptr) return;
      ++watchdog_->count_;
      watchdog_->reads_ = false;
      ++watchdog_->read_;
    }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

   private:
    ProgressWatchdog* watchdog_;
  };

  /// Marks a thread as sending a frame while this lives: work is pending only while the receiver wants frames. Null: no
  /// watchdog.
  class Sending {
   public:
    explicit Sending(ProgressWatchdog* watchdog) : watchdog_(watchdog) {
      if (watchdog_ != nullptr) ++watchdog_->sends_;
    }
    ~Sending() {
      if (watchdog_ == nullptr) return;
      ++watchdog_->count_;
      --watchdog_->sends_;
    }
    Sending(const Sending&) = delete;
    Sending& operator=(const Sending&) = delete;

   private:
    ProgressWatchdog* watchdog_;
  };
  /// Notes that the receiver of the results waits for one, which a thread that sends must then deliver.
  void receiver_waits(bool waits) { receiver_waits_ = waits; }

  /// True while work is pending: the counter must advance.
  bool pending() const {
    if (idles_ > 0) return false;
    if (sends_ > 0) return receiver_waits_;
    return !reads_ || announced_ != read_ || (expected_ > 0 && pauses_ == 0);
  }

 private:
  friend class WatchdogMonitor;
  std::atomic<std::uint64_t> count_{0}, announced_{0}, read_{0};
  std::atomic<int> idles_{0}, expected_{0}, pauses_{0}, sends_{0};
  std::atomic<bool> reads_{false}, receiver_waits_{false};
};

/// The monitor's side. Checks are counted instead of time: a monitor that was suspended together with the worker has
/// seen no hang.
class WatchdogMonitor {
 public:
  /// A worker has hung after `checks` checks in a row with pending work and an unchanged counter.
  WatchdogMonitor(const ProgressWatchdog& watchdog, int checks) : watchdog_(watchdog), checks_(checks) {}

  /// Checks once; returns whether the worker has hung, and then starts over.
  bool check() {
    const std::uint64_t count = watchdog_.count_;
    const bool unchanged = watchdog_.pending() && count == before_;
    before_ = count;
    unchanged_ = unchanged ? unchanged_ + 1 : 0;
    if (unchanged_ < checks_) return false;
    unchanged_ = 0;
    return true;
  }

 private:
  const ProgressWatchdog& watchdog_;
  int checks_;
  int unchanged_ = 0;  // checks in a row
  std::uint64_t before_ = 0;
};

}  // namespace weft::swarmx
