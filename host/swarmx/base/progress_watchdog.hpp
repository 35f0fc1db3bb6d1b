/// Progress watchdog. A worker thread increments a counter and notes when it waits; a monitor thread checks that the
/// counter advances while work is pending. Helper threads may be watched together with the worker.
#pragma once

#include <atomic>
#include <cstdint>

namespace weft {

class Pulse {
 public:
  /// The counter, which any watched thread increments.
  std::atomic<std::uint64_t>& count() { return count_; }

  /// Announces a frame for the worker, before the frame is sent.
  void give() { ++given_; }
  /// Resets the watchdog: the worker begins, and no frame is pending.
  void begin() {
    given_ = taken_ = 0;
    debts_ = waits_ = 0;
    wants_ = false;
  }

  /// Counts a pending piece of work of the helper threads, until it is done. Any thread may call these.
  void owe() { ++debts_; }
  void pay() {
    ++count_;
    --debts_;
  }
  /// Notes that all pending work of the helpers waits for another process, until go_on().
  void put_off() { ++waits_; }
  void go_on() {
    ++count_;
    --waits_;
  }

  /// Calls put_off, and go_on at its end. Null: no watchdog.
  class PutOff {
   public:
    explicit PutOff(Pulse* pulse) : pulse_(pulse) {
      if (pulse_ != nullptr) pulse_->put_off();
    }
    ~PutOff() {
      if (pulse_ != nullptr) pulse_->go_on();
    }
    PutOff(const PutOff&) = delete;
    PutOff& operator=(const PutOff&) = delete;

   private:
    Pulse* pulse_;
  };

  /// Marks the worker as idle while this lives, as when it waits for memory. Null: no watchdog.
  class Rest {
   public:
    explicit Rest(Pulse* pulse) : pulse_(pulse) {
      if (pulse_ != nullptr) ++pulse_->rests_;
    }
    ~Rest() {
      if (pulse_ == nullptr) return;
      ++pulse_->count_;
      --pulse_->rests_;
    }
    Rest(const Rest&) = delete;
    Rest& operator=(const Rest&) = delete;

   private:
    Pulse* pulse_;
  };

  /// Marks the worker as reading a frame while this lives: no work is pending until a frame is announced. Null: no
  /// watchdog.
  class Take {
   public:
    explicit Take(Pulse* pulse) : pulse_(pulse) {
      if (pulse_ != nullptr) pulse_->takes_ = true;
    }
    ~Take() {
      if (pulse_ == nullptr) return;
      ++pulse_->count_;
      pulse_->takes_ = false;
      ++pulse_->taken_;
    }
    Take(const Take&) = delete;
    Take& operator=(const Take&) = delete;

   private:
    Pulse* pulse_;
  };

  /// Marks a thread as sending a frame while this lives: work is pending only while the receiver wants frames. Null: no
  /// watchdog.
  class Send {
   public:
    explicit Send(Pulse* pulse) : pulse_(pulse) {
      if (pulse_ != nullptr) ++pulse_->sends_;
    }
    ~Send() {
      if (pulse_ == nullptr) return;
      ++pulse_->count_;
      --pulse_->sends_;
    }
    Send(const Send&) = delete;
    Send& operator=(const Send&) = delete;

   private:
    Pulse* pulse_;
  };
  /// Notes that the receiver of the results waits for one, which a thread that sends must then deliver.
  void want(bool wants) { wants_ = wants; }

  bool owes() const {
    if (rests_ > 0) return false;
    if (sends_ > 0) return wants_;
    return !takes_ || given_ != taken_ || (debts_ > 0 && waits_ == 0);
  }

 private:
  friend class StillWatch;
  std::atomic<std::uint64_t> count_{0}, given_{0}, taken_{0};
  std::atomic<int> rests_{0}, debts_{0}, waits_{0}, sends_{0};
  std::atomic<bool> takes_{false}, wants_{false};
};

/// The monitor's side. Checks are counted instead of time: a monitor that was suspended together with the worker has
/// seen no hang.
class StillWatch {
 public:
  /// A worker has hung after `looks` checks in a row with pending work and an unchanged counter.
  StillWatch(const Pulse& pulse, int looks) : pulse_(pulse), looks_(looks) {}

  /// Checks once; returns whether the worker has hung, and then starts over.
  bool look() {
    const std::uint64_t count = pulse_.count_;
    const bool stands = pulse_.owes() && count == before_;
    before_ = count;
    still_ = stands ? still_ + 1 : 0;
    if (still_ < looks_) return false;
    still_ = 0;
    return true;
  }

 private:
  const Pulse& pulse_;
  int looks_;
  int still_ = 0;
  std::uint64_t before_ = 0;
};

}  // namespace weft
