/// SwarmX as MemoryX sees it: any number of wafers behind one stream, and one gradient that comes back.
///
/// Loss and gradients are bitwise the same for every num_csx, fanout and order of arrival.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/error.hpp"
#include "host/swarmx/run_leaf.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

struct SwarmOptions {
  int num_csx = 1;
  int fanout = 4;                   ///< children of a node at most, >= 2
  int local_wafers = -1;            ///< wafers 0..local_wafers-1 run in this process, the others call run_leaf; -1: all
  std::uint32_t micro_batches = 1;  ///< of a training step
  std::chrono::milliseconds timeout{30000};  ///< for all wafers that are not local to connect
  std::chrono::milliseconds silence{30000};  ///< a wafer that is not local and says nothing for so long is lost
  MakeWafer make_wafer;
  GetBatch get;
  using Time = std::chrono::steady_clock::time_point;
  /// Told when an op began to be sent and when the last of it was on its way; null: nobody.
  std::function<void(std::size_t op, Time begin, Time end)> streamed = {};
};

struct StepResult {
  double loss = 0;            ///< mean over tokens, nats
  std::int64_t loss_sum = 0;  ///< over tokens, nats * 2^kLossBits (host/swarmx/loss.hpp)
  std::uint64_t tokens = 0;
  std::uint32_t rounds = 0;
  std::uint64_t sim_cycles = 0;  ///< sum over rounds of the maximum over wafers
  std::uint64_t fma_lanes = 0;   ///< these are sums over all wafers
  std::uint64_t beats = 0;
  std::uint64_t edge_messages = 0;
  Applied applied;  ///< training only
};

class Swarm {
 public:
  /// Starts the tree and the local wafers. `plan` must outlive this. Throws std::invalid_argument for an impossible
  /// tree, std::system_error or boost::system::system_error if there are too few threads or descriptors.
  Swarm(const Plan& plan, SwarmOptions options);
  /// Ends the run; waits for the wafers' current work.
  ~Swarm();
  Swarm(const Swarm&) = delete;
  Swarm& operator=(const Swarm&) = delete;

  /// Streams all micro-batches of step `step` (from 0), collects the gradient and applies it. Returns while MemoryX
  /// still updates; the next step waits tensor by tensor.
  ///
  /// `meanwhile` is called once, in this thread, while the first round streams: as soon as MemoryX has settled the step
  /// before, at the latest when all weights are on their way. What it throws is the step's failure.
  ///
  /// Throws Refusal, before anything is sent, if MemoryX cannot sum so many micro-batches. Throws the
  /// first thing that went wrong in any thread or process of the tree, with its own type: SwarmError, Diverged,
  /// WaferStuck, std::bad_alloc, ... After that every call throws the same; MemoryX has its weights from before the
  /// step, and a new Swarm can go on with it: but with MemoryXOptions::early, which leaves a state that is not whole.
  StepResult step(std::uint64_t step, MemoryX& memoryx, std::function<void()> meanwhile = {});

  /// The loss of `micro_batches` micro-batches with the forward ops only. Fails as `step` does.
  StepResult evaluate(std::uint64_t step, std::uint32_t micro_batches, MemoryX& memoryx);

  int wafers() const;
  /// Where a wafer that is not local connects to (loopback; 0 if it is local), and its parent's name.
  std::uint16_t port(int wafer) const;
  const std::string& parent(int wafer) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft
