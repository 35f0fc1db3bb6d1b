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
#include "host/swarmx/protocol/status.hpp"
#include "host/swarmx/protocol/times.hpp"
#include "host/swarmx/tree/worker_loop.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft {

struct SwarmOptions {
  int num_csx = 1;
  int fanout = 4;         ///< maximum number of children of a node, >= 2
  int local_wafers = -1;  ///< wafers 0..local_wafers-1 run in this process, the others call run_member; -1: all
  int nodes = 0;          ///< processes that call run_node_member, between root and wafers
  int memory = 0;         ///< processes that call run_memory_member, which connect to MemoryRanks
  int min_csx = 1;        ///< wafers required for the run to continue
  int awaited = 0;        ///< wafers that are waited for at first; 0: all
  /// Names, of any role, of members of the previous swarm: one that has not joined when this swarm ends is waited for,
  /// to be sent Stop.
  std::vector<std::string> coming = {};
  /// Maximum time that the end waits: for those, from the begin of this swarm; for a lost member, from its loss.
  std::chrono::milliseconds coming_for{10000}, back_for{1000};
  std::uint32_t micro_batches = 1;           ///< per training step
  std::chrono::milliseconds timeout{30000};  ///< for `awaited` at first, for min_csx later
  std::chrono::milliseconds silence{30000};  ///< a remote wafer that is silent for so long is lost
  double straggler = 3;  ///< multiple of the usual time after which another wafer repeats a task; all local: never
  MakeWafer make_wafer;
  /// Cache of wafers from the previous swarm, which also gets this one's; null: each is made and destroyed here.
  std::shared_ptr<KeptWafers> kept = {};
  GetBatch get;
  /// Returns the position of a training step's first sample, for a data rank; null: 0.
  std::function<std::uint64_t(std::uint64_t step)> position = {};
  // Options for wafers that are not local:
  std::shared_ptr<const Credentials> credentials = {};
  std::string address = "127.0.0.1";            ///< where they join, a number
  std::uint16_t port = 0;                       ///< 0: any free one
  std::vector<std::uint16_t> other_ports = {};  ///< if `port` is taken
  std::uint16_t memory_port = 0;                ///< of MemoryRanks, at the same address
  std::string job = {};                         ///< as in JoinOptions
  std::string build = {};                       ///< as in JoinOptions
  std::uint64_t digest = 0;                     ///< as in JoinOptions
  std::string data_name = {};                   ///< as in DataMemberOptions; empty: no data rank is expected
  std::string network_text = {};                ///< contents of model.network, for the plan
  /// Called with a line about each member that joins, is lost or is waited for, in the network's thread and that of
  /// steps; may be null.
  std::function<void(const std::string& line)> say = {};
  /// Polled while there are too few wafers: returns whether to stop waiting; null: never.
  std::function<bool()> leave = {};
  /// Divides the time of the thread that calls step and evaluate; may be null.
  std::shared_ptr<StepClock> clock = {};
  using Time = std::chrono::steady_clock::time_point;
  /// Called when an op has been sent, with the times at its begin and its end; may be null.
  std::function<void(std::size_t op, Time begin, Time end)> streamed = {};
};

struct StepResult {
  double loss = 0;            ///< mean over tokens, nats
  std::int64_t loss_sum = 0;  ///< over tokens, nats * 2^kLossBits (host/swarmx/protocol/loss.hpp)
  std::uint64_t tokens = 0;
  std::uint32_t rounds = 0;
  std::uint64_t sim_cycles = 0;  ///< sum over passes of the maximum over wafers
  std::uint64_t fma_lanes = 0;   ///< this and the next two are sums over all wafers
  std::uint64_t beats = 0;
  std::uint64_t edge_messages = 0;
  std::uint32_t repeated = 0;  ///< micro-batches that were done once more, of this step or an earlier one
  Applied applied;             ///< training only
};

class Swarm {
 public:
  /// Starts the tree and the local wafers. `plan` must outlive this. Throws std::invalid_argument for an impossible
  /// tree, std::system_error or boost::system::system_error if there are too few threads or descriptors.
  Swarm(const Plan& plan, SwarmOptions options);
  /// Ends the run; waits for the wafers' present work. After a failure, including an exception that is propagating now,
  /// wafers of other processes are not told that the run is over: they reconnect.
  ~Swarm();
  Swarm(const Swarm&) = delete;
  Swarm& operator=(const Swarm&) = delete;

  /// Streams all micro-batches of step `step` (from 0), collects the gradient and applies it. Returns while MemoryX
  /// still updates; the next step waits tensor by tensor.
  ///
  /// `meanwhile` is called once, in this thread, while the first pass streams: as soon as MemoryX has settled the
  /// previous step, at the latest when the forward ops have been sent. Its exceptions are the step's failure.
  ///
  /// A remote wafer may be lost, and others may join: docs/swarm.md.
  ///
  /// Throws Refusal, before anything is sent, if MemoryX cannot sum so many micro-batches. Throws PeerLost if there are
  /// too few wafers for too long, and the first failure in any thread of this process, with its own type: SwarmError,
  /// Diverged, WaferStuck, std::bad_alloc, ... After that every call throws the same. MemoryX then has its weights from
  /// before the step, and a new Swarm can continue with it, except with MemoryXOptions::early, which leaves an
  /// incomplete state.
  ///
  /// `look` is called with the step's loss before any weight changes; its exceptions are the step's failure.
  StepResult step(std::uint64_t step, Memory& memory, std::function<void()> meanwhile = {},
                  const std::function<void(double loss)>& look = {});
  /// Overload for MemoryX in this process, which must be of the same plan.
  StepResult step(std::uint64_t step, MemoryX& memoryx, std::function<void()> meanwhile = {},
                  const std::function<void(double loss)>& look = {});

  /// Computes the step's gradient, over the same micro-batches, without an update: MemoryX has the gradient
  /// (MemoryX::gradient) and unchanged weights. Fails as `step` does.
  StepResult gradient(std::uint64_t step, MemoryX& memoryx);

  /// Computes the loss of `micro_batches` micro-batches with the forward ops only. Fails as `step` does.
  StepResult evaluate(std::uint64_t step, std::uint32_t micro_batches, Memory& memory);
  StepResult evaluate(std::uint64_t step, std::uint32_t micro_batches, MemoryX& memoryx);

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

}  // namespace weft
