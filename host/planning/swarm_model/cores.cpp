#include "host/planning/swarm_model/cores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::planning::swarm_model {

Cores::Cores(Clock& clock, double count, double slice)
    : clock_(clock),
      slice_(slice),
      speed_(count / std::ceil(count)),
      processors_(static_cast<std::size_t>(std::ceil(count))),
      free_(processors_) {}

/// Returns the slice, which is unlimited if each thread has a processor.
double Cores::slice() const { return threads_ <= processors_ ? std::numeric_limits<double>::infinity() : slice_; }

void Cores::ready(Thread& thread) {
  queue_.push_back(&thread);
  dispatch();
}

void Cores::dispatch() {
  while (free_ > 0 && !queue_.empty()) {
    Thread& thread = *queue_.front();
    queue_.pop_front();
    --free_;
    thread.slice_ = slice();
    run(thread);
  }
}

void Cores::run(Thread& thread) {
  thread.runs_ = std::min(thread.work_.front().first, thread.slice_);
  thread.slice_ -= thread.runs_;
  clock_.after(thread.runs_ / speed_, [this, &thread] { ran(thread); });
}

void Cores::ran(Thread& thread) {
  busy_ += thread.runs_;
  if ((thread.work_.front().first -= thread.runs_) <= 0) {
    const Then then = std::move(thread.work_.front().second);
    thread.work_.pop_front();
    then();  // may add work
  }
  if (!thread.work_.empty() && thread.slice_ > 0) return run(thread);
  ++free_;
  thread.ready_ = !thread.work_.empty();
  if (thread.ready_) queue_.push_back(&thread);
  dispatch();
}

void Thread::add(double seconds, Then then) {
  work_.emplace_back(seconds, std::move(then));
  if (ready_) return;
  ready_ = true;
  cores_.ready(*this);
}

}  // namespace weft::planning::swarm_model
