/// What the root still expects of a step, and what came: shared by the thread that streams and the one that receives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/frame.hpp"
#include "host/swarmx/payload.hpp"
#include "host/swarmx/round_returns.hpp"
#include "host/swarmx/waiting.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// Sums over a step.
struct Collected {
  std::int64_t loss = 0;  ///< nats * 2^kLossBits
  std::int64_t tokens = 0;
  std::uint64_t cycles = 0, fma_lanes = 0, beats = 0, edge_messages = 0;
};

class Collect {
 public:
  /// `run`'s `wake` must call ours.
  Collect(const Plan& plan, const FirstFailure& run) : training_(plan, true), evaluation_(plan, false), waiting_(run) {}

  /// A step of `rounds` rounds begins; gradients go to `memoryx` (null: evaluation). Throws the run's failure.
  void begin(std::uint64_t step, const Round& round, std::uint32_t rounds, MemoryX* memoryx);
  /// Takes a sum over all wafers, in the receiving thread. Throws CorruptFrame if it is not the planned one, SwarmError
  /// if the losses overflow, and what MemoryX throws.
  void add(const Frame& frame);
  /// Waits until round `round` may begin: not more than kRoundsUnderWay are then under way. Throws the run's failure.
  void wait_for_turn(std::uint32_t round);
  /// Waits for the end of the last round. Throws the run's failure.
  Collected wait();
  void wake() noexcept { waiting_.wake(); }

 private:
  std::vector<std::int64_t> take(const Frame& frame);

  RoundReturns training_, evaluation_;
  Waiting waiting_;
  std::uint64_t step_ = 0;
  Round round_;
  std::uint32_t rounds_ = 0;
  std::uint32_t done_ = 0;      // rounds that are complete
  MemoryX* memoryx_ = nullptr;  // null as well: no step yet
  std::vector<bool> got_;       // [round][slot]
  Collected sum_;
};

}  // namespace weft
