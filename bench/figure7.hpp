/// Figure 7 of the text that Weft is built from: how much faster a step is on more wafers, by the size of the model.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/gpt3.hpp"
#include "host/swarmx/model/simulate.hpp"

namespace weft::bench {

/// What is drawn is not there, so it is said.
struct DrawnSystem {
  double bandwidth = 150e9;  ///< of a link, bytes a second each way: twelve of 100 Gb/s
  double latency = 2e-6;     ///< of a hop, seconds
  int fanout = 4;            ///< as the key swarmx.fanout
  double node = 1200e9;      ///< bytes a second that a node passes on and sums: its four links' both ways
  double memory = 4e12;      ///< bytes a second of MemoryX, as the text has it

  /// "name=value"; throws Refusal.
  void set(const std::string& assignment);
};

/// `work`: of a micro-batch, in seconds. It goes in about two pieces an op.
swarm_model::Machine machine_of(const DrawnSystem& system, const swarm_model::Work& work);

struct ScaledModel {
  std::string name;
  int micro_batches = 0;          ///< of a step
  swarm_model::Work work;         ///< of one, coarse, in seconds
  std::map<int, double> seconds;  ///< [wafers] of a step

  double speed_up(int wafers) const { return seconds.at(1) / seconds.at(wafers); }
  /// If nothing but rounds counted.
  double most(int wafers) const;
};

/// Some of `lines`, with a step of as many tokens as their batch on up to 192 wafers.
std::vector<ScaledModel> scaled_models(const std::vector<Gpt3Line>& lines, const DrawnSystem& system);

/// As SVG: speed-up over wafers, both logarithmic.
std::string figure7_picture(const std::vector<ScaledModel>& models);
/// Markdown.
std::string figure7_table(const std::vector<ScaledModel>& models);
/// On 192 wafers, on `system` and with one thing other: slower links, or nodes and members that cost what `measured`
/// says.
std::string figure7_variants(const std::vector<ScaledModel>& models, const DrawnSystem& system,
                             const swarm_model::Machine& measured);

}  // namespace weft::bench
