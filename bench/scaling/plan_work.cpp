#include "bench/scaling/plan_work.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace weft::bench {

swarm_model::Work work_in_cycles(const Plan& plan, const std::vector<Phase>& phases) {
  std::map<std::string, double> each;  // an op takes the same number of cycles in every layer
  for (const Phase& phase : phases) each[phase.name] = static_cast<double>(phase.cycles) / std::max(phase.ops, 1);
  std::vector<double> cycles;
  for (const Op& op : plan.ops) cycles.push_back(each.at(of_all_layers(op.name)));
  cycles.front() += each.at("tokens");
  return swarm_model::work_of(plan, cycles);
}

swarm_model::Work slowed(swarm_model::Work work, double times) {
  for (swarm_model::WorkOp& op : work) op.seconds *= times;
  return work;
}

}  // namespace weft::bench
