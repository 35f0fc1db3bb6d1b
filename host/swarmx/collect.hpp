/// What the root still expects of a step, and what came: shared by the thread that streams and the one that receives.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/frame.hpp"
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
  /// `senders` names the root's children, for errors. `plan` must outlive this.
  Collect(const Plan& plan, std::string senders) : plan_(plan), senders_(std::move(senders)) {}

  /// A step of `rounds` rounds begins; gradients go to `memoryx` (null: evaluation). Throws as `check`.
  void begin(std::uint64_t step, std::uint32_t rounds, MemoryX* memoryx);
  /// Takes a sum over all wafers, or an Error, which is final. Never throws; called by the receiving thread.
  void add(const Frame& frame);
  /// Throws the error that arrived, if one did.
  void check();
  /// Waits for the end of the last round. Throws as `check`.
  Collected wait();
  bool failed();

 private:
  void take(const Frame& frame);
  std::size_t slot(const Frame& frame) const;

  const Plan& plan_;
  std::string senders_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Frame> error_;
  std::uint64_t step_ = 0;
  std::uint32_t rounds_ = 0;
  std::uint32_t done_ = 0;  // rounds that are complete
  MemoryX* memoryx_ = nullptr;
  std::vector<std::size_t> first_;  // [op]: slot of its part 0 within a round; [ops]: slots of a round
  std::vector<bool> got_;           // [round][slot]
  Collected sum_;
};

}  // namespace weft
