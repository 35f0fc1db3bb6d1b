/// The weight stream as frames, made while they are sent: nothing is kept of a stream that was sent.
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
  explicit Stream(const Plan& plan) : plan_(plan) {}

  /// Calls `send` with op's frames in order, without step and round; waits for weights that are still being updated.
  void op(std::size_t op, const MemoryX& memoryx, const std::function<void(Frame)>& send);

 private:
  const Plan& plan_;
  std::vector<Message> messages_;
};

}  // namespace weft
