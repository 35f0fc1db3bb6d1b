#include "bench/scaling/plan_work.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace weft::bench {

planning::swarm_model::Work work_in_cycles(const compiler::Plan& plan, const std::vector<planning::Phase>& phases) {
  std::map<std::string, double> each;  // an op takes the same number of cycles in every layer
  for (const planning::Phase& phase : phases)
    each[phase.name] = static_cast<double>(phase.cycles) / std::max(phase.ops, 1);
  std::vector<double> cycles;
  for (const compiler::Op& op : plan.ops) cycles.push_back(each.at(planning::of_all_layers(op.name)));
  cycles.front() += each.at("tokens");
  return planning::swarm_model::work_of(plan, cycles);
}

planning::swarm_model::Work slowed(planning::swarm_model::Work work, double times) {
  for (planning::swarm_model::WorkOp& op : work) op.seconds *= times;
  return work;
}

}  // namespace weft::bench
