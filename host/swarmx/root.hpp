/// The root of the tree as a state machine: who gets which micro-batch next, what of a step is in, when it is complete.
///
/// Without threads, network or clock of its own: Collect has it in a process, tests in a simulated world.
/// docs/swarm.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "host/swarmx/contribution.hpp"
#include "host/swarmx/dispatch.hpp"
#include "host/swarmx/frame.hpp"
#include "host/swarmx/ledger.hpp"
#include "host/swarmx/payload.hpp"
#include "host/swarmx/round_returns.hpp"
#include "host/swarmx/status.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// Sums over a step.
struct Collected {
  std::int64_t loss = 0;  ///< nats * 2^kLossBits
  std::int64_t tokens = 0;
  std::uint64_t cycles = 0, fma_lanes = 0, beats = 0, edge_messages = 0;
  std::uint32_t rounds = 0;
  std::uint32_t repeated = 0;  ///< micro-batches that were done once more, for this step or one before
};

class Root {
 public:
  using Time = Dispatch::Time;
  explicit Root(const Plan& plan, DispatchOptions options = {})
      : training_(plan, true), evaluation_(plan, false), dispatch_(options) {}
  virtual ~Root() = default;

  void join(std::uint32_t seat) { dispatch_.join(seat); }
  std::size_t seats() const { return dispatch_.seats(); }

  /// A step begins.
  void begin(std::uint64_t step, bool train, std::uint32_t micro_batches);

  struct Next {
    std::uint32_t round = 0;
    std::vector<Task> tasks = {};
    std::vector<std::uint32_t> late = {};  ///< seats nobody is to wait for any more; then there are no tasks
  };
  /// What is to be sent now, if anything.
  std::optional<Next> next(Time now);

  /// Takes what comes up: contributions, Came and Left. Returns what is to be added now, each value of each slot of
  /// each micro-batch once. Throws CorruptFrame if it is not of the rounds under way, Diverged if the losses overflow.
  std::optional<Contribution> take(const Frame& frame, Time now);

  /// All is in.
  bool complete() const { return ledger_.missing() == 0; }
  Collected sum() const;
  /// Adds what the seat does to what is known of it.
  void look(std::uint32_t seat, RankStatus& status, Time now) const;

 protected:
  /// For tests that want to see what becomes of a root that is careless.
  virtual Ledger::Entry enter(Ledger& ledger, const Contribution& contribution, std::size_t slot) {
    return ledger.enter(contribution.micro_batches, slot);
  }

 private:
  void count(const Frame& frame, std::span<const std::int64_t> values);
  void ended(const Frame& frame, const Contribution& contribution, Time now);

  RoundReturns training_, evaluation_;
  std::uint64_t step_ = 0;
  bool train_ = true;
  std::uint32_t first_ = 0;  // rounds of this step begin here
  std::uint32_t next_round_ = 0;
  Ledger ledger_;
  Dispatch dispatch_;
  std::map<std::uint32_t, std::uint64_t> cycles_;  // [round]
  Collected sum_;
};

}  // namespace weft
