/// What a swarm has to do with MemoryX at the end of a step, also where that is an exception.
#pragma once

#include "host/swarmx/memory/memory.hpp"
#include "sw/base/failure.hpp"

namespace weft {

/// As long as it lives, what goes wrong with `memory` is the run's failure.
class MemoryWatch {
 public:
  MemoryWatch(Memory& memory, FirstFailure& run) : memory_(memory) { memory_.fails(&run); }
  ~MemoryWatch() { memory_.fails(nullptr); }
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

 private:
  Memory& memory_;
};

/// A step that MemoryX has begun, and abandons unless it is whole.
class BegunStep {
 public:
  BegunStep(Memory& memory, const StepAhead& ahead) : memory_(&memory) { memory.begin_step(ahead); }
  ~BegunStep() {
    if (memory_ != nullptr) memory_->abandon_step();
  }
  BegunStep(const BegunStep&) = delete;
  BegunStep& operator=(const BegunStep&) = delete;
  void whole() { memory_ = nullptr; }

 private:
  Memory* memory_;
};

}  // namespace weft
