/// Guards that end a step in MemoryX, also if that is by an exception.
#pragma once

#include "host/swarmx/protocol/memory.hpp"
#include "sw/base/failure.hpp"

namespace weft {

/// Makes failures of `memory` the run's failure while this lives.
class MemoryFailureGuard {
 public:
  MemoryFailureGuard(Memory& memory, FirstFailure& run) : memory_(memory) { memory_.fails(&run); }
  ~MemoryFailureGuard() { memory_.fails(nullptr); }
  MemoryFailureGuard(const MemoryFailureGuard&) = delete;
  MemoryFailureGuard& operator=(const MemoryFailureGuard&) = delete;

 private:
  Memory& memory_;
};

/// A step that MemoryX has begun, and that is abandoned unless whole() is called.
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
