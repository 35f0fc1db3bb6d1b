/// Passes of a step on their way down: for each its tasks, their tokens, and the weights of all ops.
#pragma once

#include <cstdint>
#include <functional>

#include "host/swarmx/protocol/batch.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "host/swarmx/protocol/memoryx_client.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "host/swarmx/root/stream.hpp"
#include "host/swarmx/root/swarm_options.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

class PassStream {
 public:
  using Send = std::function<void(Frame)>;
  /// `plan` and `options` must outlive this. `get` returns a micro-batch's tokens. `send` takes one frame after the
  /// other.
  PassStream(const compiler::Plan& plan, const SwarmOptions& options, GetBatch get, Send send);

  /// Begins a step, whose weights have changed. `repeats`: ops will be requested more than once. `meanwhile` is called
  /// as soon as MemoryX has finished the previous step, at the latest when the forward ops of the first pass have been
  /// sent.
  void begin_step(bool repeats, std::function<void()> meanwhile);

  struct Place {
    std::uint64_t step;
    std::uint32_t pass;
  };
  /// Sends a pass; returns after its last frame. `last`: no other pass of this step follows.
  void send(const Pass& pass, Place place, bool last, MemoryXClient& memory);
  /// Bytes of payload of the last pass.
  std::size_t bytes() const { return bytes_; }

 private:
  void call_meanwhile();

  const compiler::Plan& plan_;
  const SwarmOptions& options_;
  GetBatch get_;
  Send send_;
  Stream stream_;
  std::size_t bytes_ = 0;
  std::function<void()> meanwhile_;  // null: was called
};

}  // namespace weft::swarmx
