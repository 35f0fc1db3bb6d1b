/// A step's weight stream as frames: weights are rounded and packed once a step, whatever the number of rounds.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/frame.hpp"
#include "sw/compiler/plan.hpp"
#include "sw/machine/message.hpp"

namespace weft {

class Stream {
 public:
  /// `plan` must outlive this.
  explicit Stream(const Plan& plan) : plan_(plan), packed_(plan.ops.size()) {}

  /// Weights have changed. `again`: ops will be asked for more than once.
  void begin_step(bool again);

  /// Calls `send` with op's frames in order, without step and round; waits for weights that are still being updated.
  void op(std::size_t op, const MemoryX& memoryx, const std::function<void(Frame)>& send);

 private:
  const Plan& plan_;
  bool again_ = false;
  std::vector<std::vector<Frame>> packed_;  // [op]; empty: not known
  std::vector<Message> messages_;
};

}  // namespace weft
