/// A step's weight stream as frames.
///
/// What is asked for again is kept as far as it is small: weights within a step of several rounds, and what has none
/// for ever. So a small model's are rounded and packed once a step, and a large one's frames take no memory beside
/// those on their way.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "host/swarmx/frame.hpp"
#include "host/swarmx/memory/memory.hpp"
#include "host/swarmx/times.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

class Stream {
 public:
  static constexpr std::size_t kKept = std::size_t{16} << 20;  ///< bytes of frames that are kept at most

  /// `plan` must outlive this. `clock` hears how long weights were waited for; null: nobody.
  explicit Stream(const Plan& plan, StepClock* clock = nullptr)
      : plan_(plan), clock_(clock), packed_(plan.ops.size()) {}

  /// Weights have changed. `again`: ops will be asked for more than once.
  void begin_step(bool again);

  /// Calls `send` with op's frames in order, without step and round; waits for weights that are still being updated.
  void op(std::size_t op, Memory& memory, const std::function<void(Frame)>& send);

  /// Bytes of frames that are kept.
  std::size_t kept() const { return kept_; }

 private:
  /// Keeps a frame of op if there is room for it, else none of op's.
  bool kept(std::size_t op, const Frame& frame);
  void forget(std::size_t op);
  std::optional<std::size_t> next_after(std::size_t op) const;

  const Plan& plan_;
  StepClock* clock_;
  bool again_ = false;
  std::vector<std::vector<Frame>> packed_;  // [op]; empty: not kept
  std::size_t kept_ = 0;                    // bytes
};

}  // namespace weft
