/// A dummy training run whose parts take given times: a link, a wafer and a memory that sleep.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "host/memoryx/store.hpp"
#include "host/swarmx/tree/worker_loop.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::bench {

using Clock = std::chrono::steady_clock;

/// A model of `layers` matrices of one shard each. The forward pass reads each in turn; the backward pass, in reverse
/// order, requests the gradient of each and then reads it again.
compiler::Plan replay_plan(int layers);

/// Times of the parts of a step without any waiting; each op with messages takes the same time.
struct ReplayTimes {
  double link = 0, wafer = 0, update = 0;  ///< seconds
};

/// A wafer that takes messages from a link one after the other and computes op after op, each in its time and both
/// concurrently: at most two ops wait in between. The results of a micro-batch are dummies. `computed`, if set, is
/// called for each op, in the wafer's thread.
std::unique_ptr<Wafer> make_replay_wafer(const compiler::Plan& plan, const ReplayTimes& times,
                                         std::function<void(Clock::time_point, Clock::time_point)> computed = {});

/// A memory updated by one thread: each shard takes its share of `times.update`, from `begin_replay` on.
class ReplayStore : public memoryx::ParameterStore {
 public:
  virtual void begin_replay() = 0;
};
std::unique_ptr<ReplayStore> make_replay_store(const compiler::Plan& plan, const ReplayTimes& times);

/// Tokens for replay_plan.
swarmx::MicroBatch replay_batch(const compiler::Plan& plan);

}  // namespace weft::bench
