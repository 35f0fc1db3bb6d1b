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
#include "host/swarmx/batch.hpp"
#include "host/swarmx/error.hpp"
#include "host/swarmx/memory/local.hpp"
#include "host/swarmx/serve.hpp"
#include "host/swarmx/status.hpp"
#include "host/swarmx/times.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

struct SwarmOptions {
  int num_csx = 1;
  int fanout = 4;         ///< children of a node at most, >= 2
  int local_wafers = -1;  ///< wafers 0..local_wafers-1 run in this process, the others call run_member; -1: all
  int nodes = 0;          ///< processes between that call run_node_member
  int memory = 0;         ///< processes that call run_memory_member: MemoryRanks has them
  int min_csx = 1;        ///< wafers without which nothing goes on
  int awaited = 0;        ///< wafers that are waited for at first; 0: all
  /// Names, of any role, who were in the swarm before this one: if it ends at once, it tells them when they come.
  std::vector<std::string> coming = {};
  /// So long after its begin it waits at its end for those, and so long after a loss for who was lost.
  std::chrono::milliseconds coming_for{10000}, back_for{1000};
  std::uint32_t micro_batches = 1;           ///< of a training step
  std::chrono::milliseconds timeout{30000};  ///< of `awaited` at first, of min_csx later
  std::chrono::milliseconds silence{30000};  ///< a wafer that is not local and says nothing for so long is lost
  double straggler = 3;  ///< times the usual, from where on another wafer does a task as well; all wafers local: never
  MakeWafer make_wafer;
  /// Wafers that the swarm before has left to this one, which leaves its own there; null: each is made, and goes.
  std::shared_ptr<KeptWafers> kept = {};
  GetBatch get;
  /// The position of a training step's first sample, for the process that reads the data; null: 0.
  std::function<std::uint64_t(std::uint64_t step)> position = {};
  // Where some wafers are not local:
  std::shared_ptr<const Credentials> credentials = {};
  std::string address = "127.0.0.1";            ///< where they join, a number
  std::uint16_t port = 0;                       ///< 0: any that is free
  std::vector<std::uint16_t> other_ports = {};  ///< if that one is taken
  std::uint16_t memory_port = 0;                ///< MemoryRanks', at that address
  std::string job = {};                         ///< JoinOptions'
  std::string build = {};                       ///< JoinOptions'
  std::uint64_t digest = 0;                     ///< JoinOptions'
  std::string data_name = {};     ///< DataMemberOptions'; empty: nobody is expected to read the data for us
  std::string network_text = {};  ///< what model.network has, for the plan
  /// Told who comes, who is lost and who is waited for, from the network's thread and that of steps; null: nobody.
  std::function<void(const std::string& line)> say = {};
  /// Asked now and then while there are too few wafers: whether not to wait any longer; null: never.
  std::function<bool()> leave = {};
  /// Deals the time of who calls step and evaluate; null: nobody wants to know.
  std::shared_ptr<StepClock> clock = {};
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
  std::uint32_t repeated = 0;  ///< micro-batches that were done once more, of this step or one before
  Applied applied;             ///< training only
};

class Swarm {
 public:
  /// Starts the tree and the local wafers. `plan` must outlive this. Throws std::invalid_argument for an impossible
  /// tree, std::system_error or boost::system::system_error if there are too few threads or descriptors.
  Swarm(const Plan& plan, SwarmOptions options);
  /// Ends the run; waits for the wafers' current work. After a failure, also one that an exception leaves by now,
  /// wafers of other processes are not told that it is over: they try again.
  ~Swarm();
  Swarm(const Swarm&) = delete;
  Swarm& operator=(const Swarm&) = delete;

  /// Streams all micro-batches of step `step` (from 0), collects the gradient and applies it. Returns while MemoryX
  /// still updates; the next step waits tensor by tensor.
  ///
  /// `meanwhile` is called once, in this thread, while the first round streams: as soon as MemoryX has settled the step
  /// before, at the latest when all weights are on their way. What it throws is the step's failure.
  ///
  /// A wafer that is not local may be lost, and others may come: docs/swarm.md.
  ///
  /// Throws Refusal, before anything is sent, if MemoryX cannot sum so many micro-batches. Throws PeerLost if there are
  /// too few wafers for too long, and the first thing that went wrong in any thread of this process, with its own type:
  /// SwarmError, Diverged, WaferStuck, std::bad_alloc, ... After that every call throws the same; MemoryX has its
  /// weights from before the step, and a new Swarm can go on with it: but with MemoryXOptions::early, which leaves a
  /// state that is not whole.
  /// `look` is told the step's loss before any weight changes; what it throws is the step's failure.
  StepResult step(std::uint64_t step, Memory& memory, std::function<void()> meanwhile = {},
                  const std::function<void(double loss)>& look = {});
  /// The same with MemoryX in this process, which is of the same plan.
  StepResult step(std::uint64_t step, MemoryX& memoryx, std::function<void()> meanwhile = {},
                  const std::function<void(double loss)>& look = {});

  /// The step's gradient, of the same micro-batches, and no more: MemoryX has it (MemoryX::gradient), and its weights
  /// as they are. Fails as `step` does.
  StepResult gradient(std::uint64_t step, MemoryX& memoryx);

  /// The loss of `micro_batches` micro-batches with the forward ops only. Fails as `step` does.
  StepResult evaluate(std::uint64_t step, std::uint32_t micro_batches, Memory& memory);
  StepResult evaluate(std::uint64_t step, std::uint32_t micro_batches, MemoryX& memoryx);

  /// This swarm is at its end, and the run is not: wafers of other processes come to the next one at this port. Nothing
  /// is under way.
  void give_way();

  int wafers() const;
  /// Who does what now. From any thread.
  SwarmStatus status() const;
  /// Where wafers that are not local connect to (loopback); 0: all are local.
  std::uint16_t port() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft
