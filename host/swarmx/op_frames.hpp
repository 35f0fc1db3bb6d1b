/// An op's stream as frames.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "host/swarmx/frame.hpp"
#include "sw/compiler/parameters.hpp"
#include "sw/compiler/plan.hpp"
#include "sw/machine/message.hpp"

namespace weft {

/// One thread's. `plan` must outlive this.
class OpFrames {
 public:
  using Send = std::function<void(Frame)>;
  explicit OpFrames(const Plan& plan) : plan_(plan) {}

  /// Calls `send` with op's frames in order, without step and round. `parameters`: those of op's tensors at least, or
  /// none, if it has none.
  void make(std::size_t op, const Parameters& parameters, const Send& send);

 private:
  const Plan& plan_;
  std::vector<Message> messages_;
};

}  // namespace weft
