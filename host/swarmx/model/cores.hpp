/// The processors of a host, which threads share evenly: with more threads at work than processors each gets its part.
#pragma once

#include <cstdint>
#include <vector>

#include "host/swarmx/model/clock.hpp"

namespace weft::swarm_model {

class Cores {
 public:
  /// `clock` must outlive this. `count`: above 0; a part of a processor is what others leave.
  Cores(Clock& clock, double count) : clock_(clock), count_(count) {}
  Cores(const Cores&) = delete;
  Cores& operator=(const Cores&) = delete;

  /// A thread works for so many seconds of a processor.
  void work(double seconds, Then then);
  /// Seconds of processors that were worked.
  double busy() const { return busy_; }

 private:
  struct Work {
    double end;  // as shared_ counts
    std::uint64_t number;
    Then then;
  };
  static bool later(const Work& a, const Work& b) { return a.end != b.end ? a.end > b.end : a.number > b.number; }
  double speed() const;
  void advance();
  void arrange();
  void finish();

  Clock& clock_;
  double count_;
  std::vector<Work> at_work_;  // a heap, the first to be done in front
  std::uint64_t numbers_ = 0, arranged_ = 0;
  double shared_ = 0;  // seconds of a processor that a thread would have had that was always at work
  double since_ = 0, busy_ = 0;
};

}  // namespace weft::swarm_model
