/// Options of a swarm: its members, the times it waits, and how wafers are made.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/protocol/batch.hpp"
#include "host/swarmx/protocol/times.hpp"
#include "host/swarmx/tree/worker_loop.hpp"

namespace weft::swarmx {

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
  std::uint32_t micro_batches = 1;  ///< per training step
  /// For `awaited` at first, for min_csx later. The default is for tests; runs use swarmx.timeout.
  std::chrono::milliseconds timeout{30000};
  std::chrono::milliseconds silence{30000};  ///< a remote wafer that is silent for so long is lost
  double straggler = 3;  ///< multiple of the usual time after which another wafer repeats a task; all local: never
  MakeWafer make_wafer;
  /// Cache of wafers from the previous swarm, which also gets this one's; null: each is made and destroyed here.
  std::shared_ptr<WaferCache> wafer_cache = {};
  GetBatch get;
  /// Returns the position of a training step's first sample, for a data rank; null: 0.
  std::function<std::uint64_t(std::uint64_t step)> position = {};
  // Options for wafers that are not local:
  std::shared_ptr<const Credentials> credentials = {};
  std::string address = "127.0.0.1";            ///< numeric address that members join
  std::uint16_t port = 0;                       ///< 0: any free one
  std::vector<std::uint16_t> other_ports = {};  ///< if `port` is taken
  std::uint16_t memory_port = 0;                ///< port of MemoryRanks, at the same address
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

}  // namespace weft::swarmx
