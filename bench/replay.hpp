/// A training run of no meaning whose parts take set times: a link, a wafer and a memory that sleep.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "host/memoryx/store.hpp"
#include "host/swarmx/serve.hpp"
#include "sw/compiler/plan.hpp"

namespace weft::bench {

using Clock = std::chrono::steady_clock;

/// A model of `layers` matrices of one shard each. Forward reads each in turn; backward, in the other direction, asks
/// for the gradient of each and then reads it again.
Plan replay_plan(int layers);

/// What a step takes if nothing waits for anything; each op that has messages takes the same.
struct ReplayTimes {
  double link = 0, wafer = 0, update = 0;  ///< seconds
};

/// Takes messages off a link one after the other and computes op after op, both in their time and beside each other: at
/// most two ops wait between. What a micro-batch returns is of no meaning. `computed`, if there is one, is told of each
/// op, in the wafer's thread.
std::unique_ptr<Wafer> make_replay_wafer(const Plan& plan, const ReplayTimes& times,
                                         std::function<void(Clock::time_point, Clock::time_point)> computed = {});

/// A memory that one thread updates: each shard takes its part of `times.update`, from `begin_replay` on.
class ReplayStore : public ParameterStore {
 public:
  virtual void begin_replay() = 0;
};
std::unique_ptr<ReplayStore> make_replay_store(const Plan& plan, const ReplayTimes& times);

/// Tokens for replay_plan.
MicroBatch replay_batch(const Plan& plan);

}  // namespace weft::bench
