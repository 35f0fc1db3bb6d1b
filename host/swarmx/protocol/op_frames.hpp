/// An op's stream as frames, which carry the weights alone, since every receiver has the plan
/// (docs/reference/swarm_protocol.md, An op's frames).
///
/// A frame has a piece of the stream, {messages:31, more:1} and the piece's weights, bf16: the number of messages to be
/// made of the piece, and whether the next frame has more weights of it. An op without weights is one frame of zeros,
/// from which all of its pieces are made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "host/swarmx/protocol/frame.hpp"
#include "sw/base/bf16.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "sw/compiler/stream/parameters.hpp"

namespace weft::swarmx {

inline constexpr std::size_t kOpHeader = 4;                                 ///< bytes before the weights
inline constexpr std::size_t kMostWeights = (kMaxPayload - kOpHeader) / 2;  ///< per frame

/// For one thread. `plan` must outlive this.
class OpFrames {
 public:
  using Send = std::function<void(Frame)>;
  explicit OpFrames(const compiler::Plan& plan) : plan_(plan) {}

  /// Calls `send` with op's frames in order, without step and pass. `parameters`: at least those of op's tensors; may
  /// be empty if op has none.
  void make(std::size_t op, const compiler::Parameters& parameters, const Send& send);

 private:
  const compiler::Plan& plan_;
  std::vector<bf16> weights_;
};

}  // namespace weft::swarmx
