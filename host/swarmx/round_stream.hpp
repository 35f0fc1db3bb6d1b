/// A step's rounds on their way down: of each its tasks, their tokens, and all ops' weights.
#pragma once

#include <cstdint>
#include <functional>

#include "host/swarmx/batch.hpp"
#include "host/swarmx/frame.hpp"
#include "host/swarmx/memory/memory.hpp"
#include "host/swarmx/payload.hpp"
#include "host/swarmx/stream.hpp"
#include "host/swarmx/swarm.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

class RoundStream {
 public:
  using Send = std::function<void(Frame)>;
  /// `plan` and `options` must outlive this. `get`: a micro-batch's tokens. `send` takes frame after frame.
  RoundStream(const Plan& plan, const SwarmOptions& options, GetBatch get, Send send);

  /// Weights have changed. `again`: ops will be asked for more than once. `meanwhile` is called as soon as MemoryX has
  /// settled the step before, at the latest when all weights of the first round are on their way.
  void begin_step(bool again, std::function<void()> meanwhile);

  struct Place {
    std::uint64_t step;
    std::uint32_t round;
  };
  /// Returns when the last of it is sent. `last`: no other of this step follows.
  void send(const Round& round, Place place, bool last, Memory& memory);

 private:
  void call_meanwhile();

  const Plan& plan_;
  const SwarmOptions& options_;
  GetBatch get_;
  Send send_;
  Stream stream_;
  std::function<void()> meanwhile_;  // null: was called
};

}  // namespace weft
