/// An op's stream as frames: what is in them are the weights alone, since who gets them has the plan (docs/swarm.md, An
/// op's frames).
///
/// A frame has a piece of the stream, {messages:31, more:1} and the piece's weights, bf16: how many messages are to be
/// made of it, and whether weights of the same piece follow in the next frame. An op without weights is one frame with
/// nothing but zeros there, of which all of its pieces are made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "host/swarmx/frame.hpp"
#include "sw/base/bf16.hpp"
#include "sw/compiler/parameters.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

inline constexpr std::size_t kOpHeader = 4;                                 ///< bytes before the weights
inline constexpr std::size_t kMostWeights = (kMaxPayload - kOpHeader) / 2;  ///< a frame

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
  std::vector<bf16> weights_;
};

}  // namespace weft
