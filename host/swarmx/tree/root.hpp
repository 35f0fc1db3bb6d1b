/// State machine of the tree's root: assigns micro-batches to members, and records what of a step has arrived until it
/// is complete.
///
/// No threads, network or clock of its own: Collect runs it in a process, tests run it in a simulated world.
/// docs/explanation/swarm.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "host/swarmx/protocol/contribution.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "host/swarmx/protocol/loss.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "host/swarmx/protocol/status.hpp"
#include "host/swarmx/tree/dispatch.hpp"
#include "host/swarmx/tree/ledger.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

/// Sums over a step.
struct Collected {
  std::vector<LossSum> losses = {};  ///< in the order of the plan
  std::uint64_t cycles = 0, fma_lanes = 0, beats = 0, edge_messages = 0;
  std::uint32_t passes = 0;
  std::uint32_t repeated = 0;  ///< micro-batches whose complete result was discarded, of this step or an earlier one
};

class Root {
 public:
  using Time = Dispatch::Time;
  explicit Root(const compiler::Plan& plan, DispatchOptions options = {})
      : training_(plan, true), evaluation_(plan, false), dispatch_(options) {}
  virtual ~Root() = default;

  void join(std::uint32_t member_id) { dispatch_.join(member_id); }
  std::size_t member_count() const { return dispatch_.member_count(); }

  /// Begins a step.
  void begin(std::uint64_t step, bool train, std::uint32_t micro_batches);

  struct Next {
    std::uint32_t pass = 0;
    std::vector<Task> tasks = {};
    std::vector<std::uint32_t> late = {};  ///< members that are not waited for any more; then there are no tasks
  };
  /// Returns what is to be sent now, if anything.
  std::optional<Next> next(Time now);

  /// Takes a contribution, Came or Left from the tree. Returns the contribution if it is to be added, which is each
  /// value of each bucket of each micro-batch once. Throws CorruptFrame if the passes begun do not return it, Diverged
  /// if the losses overflow.
  std::optional<Contribution> handle(const Frame& frame, Time now);
  /// Notes that the Stats of micro-batches have arrived at this process's node.
  void returned(std::uint32_t pass, std::span<const std::uint32_t> micro_batches, Time now) {
    for (const std::uint32_t micro_batch : micro_batches) dispatch_.returned(pass, micro_batch, now);
  }
  /// As Dispatch::set_trials and Dispatch::take_stuck.
  void set_trials(bool trials) { dispatch_.set_trials(trials); }
  std::vector<std::uint32_t> take_stuck(Time now) { return dispatch_.take_stuck(now); }

  /// True if everything has arrived.
  bool complete() const { return ledger_.missing() == 0; }
  Collected sum() const;
  /// Adds the member's present activity to `status`. `early`: a slow member is named before its cause is known.
  void add_activity(std::uint32_t member_id, RankStatus& status, Time now, bool early = false);

 protected:
  /// Overridden by tests that simulate a faulty root.
  virtual Ledger::Entry record(Ledger& ledger, const Contribution& contribution, std::size_t bucket) {
    return ledger.record(contribution.micro_batches, bucket);
  }

 private:
  /// Counts a part of the plan's loss number `loss`, or of the stats.
  void count(const Frame& frame, std::span<const std::int64_t> values, std::size_t loss);
  void ended(const Frame& frame, const Contribution& contribution, Time now);

  PassReturns training_, evaluation_;
  std::uint64_t step_ = 0;
  bool train_ = true;
  std::uint32_t first_ = 0;  // first pass of this step
  std::uint32_t next_pass_ = 0;
  Ledger ledger_;
  Dispatch dispatch_;
  std::map<std::uint32_t, std::uint64_t> cycles_;  // [pass]
  Collected sum_;
};

}  // namespace weft::swarmx
