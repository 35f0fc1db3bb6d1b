/// A step's weight stream as frames.
///
/// Frames that will be requested again are cached if they are small: weights within a step of several passes, ops
/// without weights forever. So a small model's weights are rounded and packed once a step, and a large one's frames
/// take no memory except those in flight.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "host/swarmx/protocol/frame.hpp"
#include "host/swarmx/protocol/memoryx_client.hpp"
#include "host/swarmx/protocol/times.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

class Stream {
 public:
  static constexpr std::size_t kKept = std::size_t{16} << 20;  ///< maximum bytes of cached frames

  /// `plan` must outlive this. `clock` records how long weights were waited for; may be null.
  explicit Stream(const compiler::Plan& plan, StepClock* clock = nullptr)
      : plan_(plan), clock_(clock), packed_(plan.ops.size()) {}

  /// Begins a step, whose weights have changed. `repeats`: ops will be requested more than once.
  void begin_step(bool repeats);

  /// Calls `send` with op's frames in order, without step and pass; waits for weights that are still being updated.
  void op(std::size_t op, MemoryXClient& memory, const std::function<void(Frame)>& send);

  /// Bytes of cached frames.
  std::size_t cached_bytes() const { return kept_; }

 private:
  /// Caches a frame of op if there is room for it; otherwise drops all of op's frames and returns false.
  bool cache(std::size_t op, const Frame& frame);
  void forget(std::size_t op);
  std::optional<std::size_t> next_after(std::size_t op) const;

  const compiler::Plan& plan_;
  StepClock* clock_;
  bool repeats_ = false;
  std::vector<std::vector<Frame>> packed_;  // [op]; empty: not cached
  std::size_t kept_ = 0;                    // bytes
};

}  // namespace weft::swarmx
