/// Reproduces figure 7 of M. James, "Scaling Up and Out" (Cerebras, 2021): speed-up of a step on more wafers, by the
/// size of the model.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/scaling/gpt3.hpp"
#include "host/planning/swarm_model/simulate.hpp"

namespace weft::bench {

/// Parameters of the hypothetical system in the figure.
struct DrawnSystem {
  double bandwidth = 150e9;  ///< bytes per second of a link in each direction: twelve of 100 Gb/s
  double latency = 2e-6;     ///< seconds per hop
  int fanout = 4;            ///< as swarmx.fanout in a configuration
  double node = 1200e9;      ///< bytes per second that a node forwards and sums: its four links in both directions
  double memory = 4e12;      ///< bytes per second of MemoryX, from the same source

  /// "name=value"; throws Refusal.
  void set(const std::string& assignment);
};

/// `work`: of a micro-batch, in seconds. It is sent in about two pieces per op.
planning::swarm_model::Machine machine_of(const DrawnSystem& system, const planning::swarm_model::Work& work);

struct ScaledModel {
  std::string name;
  int micro_batches = 0;             ///< per step
  planning::swarm_model::Work work;  ///< one micro-batch, coarsened, in seconds
  std::map<int, double> seconds;     ///< [wafers], per step

  double speed_up(int wafers) const { return seconds.at(1) / seconds.at(wafers); }
};

/// True for the names of the sizes in the figure.
bool is_drawn(const std::string& size);

/// Models from those of `lines` that are drawn, with a step of their batch, on up to 192 wafers.
std::vector<ScaledModel> scaled_models(const std::vector<Gpt3Line>& lines, const DrawnSystem& system);

}  // namespace weft::bench
