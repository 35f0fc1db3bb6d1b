#include "host/planning/one_layer.hpp"

#include <set>
#include <string>

#include "host/config/keys/params_filter.hpp"
#include "host/memoryx/pruning.hpp"
#include "host/planning/estimate/traffic.hpp"
#include "host/planning/phases.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::planning {

config::Config with_one_layer(config::Config config) {
  config.model.layers = 1;
  return config;
}

compiler::Mask some_mask(const config::Config& config, const compiler::ModelShape& one_layer) {
  compiler::Mask mask;
  if (config.sparsity.sparsity == 0) return mask;
  std::set<std::string> there;
  for (const compiler::TensorInfo& tensor : compiler::model_tensors(one_layer)) there.insert(tensor.name);
  for (const compiler::TensorInfo& tensor : config::sparse_tensors(config))
    if (there.contains(tensor.name))
      mask[tensor.name] = memoryx::random_mask(tensor.name, tensor.size, config.sparsity.sparsity, 1);
  return mask;
}

MicroBatchCost cost_of_layers(const compiler::Plan& plan, int layers, const Sample& sample) {
  CycleEstimate estimate(plan, sample);
  MicroBatchCost cost{.cycles = token_messages(plan)};
  for (const compiler::Op& op : plan.ops) {
    const Phase phase = estimate.next(op);
    const auto times = static_cast<std::uint64_t>(of_all_layers(op.name) == op.name ? 1 : layers);
    cost.cycles += times * phase.cycles;
    cost.beats += times * phase.beats;
  }
  return cost;
}

}  // namespace weft::planning
