/// SwarmX as MemoryX sees it: any number of wafers behind one stream, and one gradient that comes back.
///
/// Loss and gradients are bitwise the same for every num_csx, fanout and order of arrival.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/swarmx/memory/local.hpp"
#include "host/swarmx/protocol/batch.hpp"
#include "host/swarmx/protocol/loss.hpp"
#include "host/swarmx/protocol/status.hpp"
#include "host/swarmx/protocol/times.hpp"
#include "host/swarmx/root/swarm_options.hpp"
#include "host/swarmx/tree/worker_loop.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

struct StepResult {
  double loss = 0;                   ///< sum over the losses of their means over tokens, nats
  std::uint64_t tokens = 0;          ///< of the last loss; gradients are divided by their number
  std::vector<LossSum> losses = {};  ///< in the order of the plan
  std::uint32_t passes = 0;
  std::uint64_t sim_cycles = 0;  ///< sum over passes of the slowest used result; changes when a wafer is lost
  std::uint64_t fma_lanes = 0;   ///< this and the next two are sums over all wafers
  std::uint64_t beats = 0;
  std::uint64_t edge_messages = 0;
  std::uint32_t repeated = 0;  ///< micro-batches whose complete result was discarded, of this step or an earlier one
  memoryx::Applied applied;    ///< training only
};

class Swarm {
 public:
  /// Starts the tree and the local wafers. `plan` must outlive this. Throws std::invalid_argument for an impossible
  /// tree, std::system_error or boost::system::system_error if there are too few threads or descriptors.
  Swarm(const compiler::Plan& plan, SwarmOptions options);
  /// Ends the run; waits for the wafers' present work. After a failure, including an exception that is propagating now,
  /// wafers of other processes are not notified that the run is over: they reconnect.
  ~Swarm();
  Swarm(const Swarm&) = delete;
  Swarm& operator=(const Swarm&) = delete;

  /// Streams all micro-batches of step `step` (from 0), collects the gradient and applies it. Returns while MemoryX
  /// still updates; the next step waits tensor by tensor.
  ///
  /// `meanwhile` is called once, in this thread, while the first pass streams: as soon as MemoryX has finished the
  /// previous step, at the latest when the forward ops have been sent. Its exceptions are the step's failure.
  ///
  /// A remote wafer may be lost, and others may join: docs/explanation/wafer_loss.md.
  ///
  /// Throws Refusal, before anything is sent, if MemoryX cannot sum so many micro-batches. Throws PeerLost if there are
  /// too few wafers for too long, and the first failure in any thread of this process, with its own type: SwarmError,
  /// Diverged, WaferHang, std::bad_alloc, ... After that every call throws the same. MemoryX then has its weights from
  /// before the step, and a new Swarm can continue with it, except with MemoryXOptions::eager, which leaves an
  /// incomplete state.
  ///
  /// `check_loss` is called with the step's loss before any weight changes; its exceptions are the step's failure.
  StepResult step(std::uint64_t step, MemoryXClient& memory, std::function<void()> meanwhile = {},
                  const std::function<void(double loss)>& check_loss = {});
  /// Overload for MemoryX in this process, which must be of the same plan.
  StepResult step(std::uint64_t step, memoryx::MemoryX& memoryx, std::function<void()> meanwhile = {},
                  const std::function<void(double loss)>& check_loss = {});

  /// Computes the step's gradient, over the same micro-batches, without an update: MemoryX has the gradient
  /// (MemoryX::gradient) and unchanged weights. Fails as `step` does.
  StepResult gradient(std::uint64_t step, memoryx::MemoryX& memoryx);

  /// Computes the loss of `micro_batches` micro-batches with the forward ops only. Fails as `step` does.
  StepResult evaluate(std::uint64_t step, std::uint32_t micro_batches, MemoryXClient& memory);
  StepResult evaluate(std::uint64_t step, std::uint32_t micro_batches, memoryx::MemoryX& memoryx);

  /// Ends this swarm but not the run: members of other processes reconnect to the next swarm at this port. Nothing may
  /// be under way.
  void give_way();

  int wafers() const;
  /// Returns what each member does now. From any thread.
  SwarmStatus status() const;
  /// Port where remote wafers join, at SwarmOptions::address; 0: all are local.
  std::uint16_t port() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::swarmx
