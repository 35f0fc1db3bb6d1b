/// A swarm of wafers in processes of their own that replay set times: what a step takes, and whose processor time.
#pragma once

#include <vector>

namespace weft::bench {

struct SwarmRun {
  int wafers = 1;
  int micro_batches = 48;    ///< of a step
  double micro_batch = 0.1;  ///< seconds that a wafer computes for one, forward and backward
  int layers = 12;           ///< of replay_plan
  bool train = true;         ///< else forward alone: nothing comes up but a loss

  bool operator==(const SwarmRun&) const = default;
};

/// Seconds of a step. Those of processors are of the threads named: of the root's process, of all members together.
struct SwarmTimes {
  double step = 0;  ///< by the clock on the wall
  double stream = 0, network = 0, memoryx = 0;
  double member_network = 0, member_wafer = 0;
  double others = 0;  ///< processors that were busy with what is not this run, on average

  double processor() const { return stream + network + memoryx + member_network + member_wafer; }
};

/// The step that took the least of `steps`; processor times are the mean. Wants one thread in this process.
SwarmTimes run_swarm(const SwarmRun& run, int steps);

}  // namespace weft::bench
