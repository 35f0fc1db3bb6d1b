/// The processors of a host. Threads with something to do wait in one queue; who is in front gets the next processor
/// that is free, and keeps it until it has nothing to do or its slice is over, as Linux does it in the long run.
#pragma once

#include <cstddef>
#include <deque>
#include <utility>

#include "host/swarmx/model/clock.hpp"

namespace weft::swarm_model {

class Thread;

class Cores {
 public:
  /// `clock` must outlive this. `count`: above 0; 1.5 are two of which others have a quarter. `slice`: seconds, above
  /// 0.
  Cores(Clock& clock, double count, double slice);
  Cores(const Cores&) = delete;
  Cores& operator=(const Cores&) = delete;

  /// Seconds of processors that were worked.
  double busy() const { return busy_; }

 private:
  friend class Thread;
  void ready(Thread& thread);
  void dispatch();
  double slice() const;
  void run(Thread& thread);
  void ran(Thread& thread);

  Clock& clock_;
  double slice_, speed_;
  std::size_t processors_, free_;
  std::size_t threads_ = 0;
  std::deque<Thread*> queue_;
  double busy_ = 0;
};

/// Does one piece of work after the other.
class Thread {
 public:
  /// `cores` must outlive this.
  explicit Thread(Cores& cores) : cores_(cores) { ++cores.threads_; }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  /// Works for so many seconds of a processor when all that was added before is done.
  void add(double seconds, Then then);

 private:
  friend class Cores;
  Cores& cores_;
  std::deque<std::pair<double, Then>> work_;  // seconds that are left, in front what is done now
  bool ready_ = false;                        // is run, or in the queue
  double runs_ = 0, slice_ = 0;               // seconds: what it is run for now, and what it has left then
};

}  // namespace weft::swarm_model
