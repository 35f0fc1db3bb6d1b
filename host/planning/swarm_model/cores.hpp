/// The processors of a host. Threads with work wait in one queue; the first gets the next free processor, and keeps it
/// until its work or its slice is over, which is what Linux does in the long run.
#pragma once

#include <cstddef>
#include <deque>
#include <utility>

#include "host/planning/swarm_model/clock.hpp"

namespace weft::planning::swarm_model {

class Thread;

class Cores {
 public:
  /// `clock` must outlive this. `count`: above 0; 1.5 are two processors, a quarter of which others use. `slice`:
  /// seconds, above 0.
  Cores(Clock& clock, double count, double slice);
  Cores(const Cores&) = delete;
  Cores& operator=(const Cores&) = delete;

  /// Seconds of processor time that were used.
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

/// A thread, which does one piece of work after the other.
class Thread {
 public:
  /// `cores` must outlive this.
  explicit Thread(Cores& cores) : cores_(cores) { ++cores.threads_; }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  /// Adds work of `seconds` of a processor, after all that was added before; then calls `then`.
  void add(double seconds, Then then);

 private:
  friend class Cores;
  Cores& cores_;
  std::deque<std::pair<double, Then>> work_;  // seconds left; the front is being done
  bool ready_ = false;                        // running, or in the queue
  double runs_ = 0, slice_ = 0;               // seconds: of the present run, and left of the slice after it
};

}  // namespace weft::planning::swarm_model
