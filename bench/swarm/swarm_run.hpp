/// A swarm of wafers in separate processes that replay given times: step time, and processor time by thread.
#pragma once

#include <vector>

namespace weft::bench {

struct SwarmRun {
  int wafers = 1;
  int micro_batches = 48;    ///< per step
  double micro_batch = 0.1;  ///< seconds that a wafer computes per micro-batch, forward and backward
  int layers = 12;           ///< layers of replay_plan
  bool train = true;         ///< else evaluation: members return only the loss

  bool operator==(const SwarmRun&) const = default;
};

/// Seconds per step. Processor times are those of the named threads of the root's process, or of all members together.
struct SwarmTimes {
  double step = 0;  ///< wall-clock time
  double stream = 0, network = 0, memoryx = 0;
  double member_network = 0, member_wafer = 0;
  double others = 0;  ///< average number of processors used by other programs

  double processor() const { return stream + network + memoryx + member_network + member_wafer; }
};

/// Returns the fastest of `steps` steps; processor times are means. Requires that this process has one thread.
SwarmTimes run_swarm(const SwarmRun& run, int steps);

}  // namespace weft::bench
