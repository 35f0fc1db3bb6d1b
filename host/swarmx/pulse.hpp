/// Whether a thread that works for others gets on, for another thread that looks: it counts, and says when it waits. It
/// may have others beside it, which are looked at with it.
#pragma once

#include <atomic>
#include <cstdint>

namespace weft {

class Pulse {
 public:
  /// What it counts up in, whoever does it.
  std::atomic<std::uint64_t>& count() { return count_; }

  /// A frame is there for it; said before it is.
  void give() { ++given_; }
  /// Nothing is there for it: it begins.
  void begin() {
    given_ = taken_ = 0;
    debts_ = waits_ = 0;
  }

  /// Threads beside it have one thing more to do, until they have done it; who says so need not be one of them.
  void owe() { ++debts_; }
  void pay() {
    ++count_;
    --debts_;
  }
  /// All that these have to do waits for somebody else, until it does not.
  void put_off() { ++waits_; }
  void go_on() {
    ++count_;
    --waits_;
  }

  /// As put_off and go_on, while this lives. Null: nobody looks.
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

  /// It owes nothing while this lives, as it waits for who takes what it has done. Null: nobody looks.
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

  /// It takes a frame while this lives, and owes nothing until one is there.
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

  bool owes() const { return rests_ == 0 && (!takes_ || given_ != taken_ || (debts_ > 0 && waits_ == 0)); }

 private:
  friend class StillWatch;
  std::atomic<std::uint64_t> count_{0}, given_{0}, taken_{0};
  std::atomic<int> rests_{0}, debts_{0}, waits_{0};
  std::atomic<bool> takes_{false};
};

/// The side that looks, again and again. Looks are counted, not time: who slept together with the other has not seen
/// it stand.
class StillWatch {
 public:
  /// `looks` behind one another at a thread that owes something and has not counted are a standstill.
  StillWatch(const Pulse& pulse, int looks) : pulse_(pulse), looks_(looks) {}

  /// Looks once: whether it stands still. It is then looked at anew.
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
