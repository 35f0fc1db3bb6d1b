#include "host/planning/model_work.hpp"

#include <algorithm>
#include <vector>

#include "sw/compiler/model/tensors.hpp"
#include "sw/network/network.hpp"

namespace weft::planning {

double model_multiply_adds(const compiler::ModelShape& model, const compiler::Mask& mask) {
  using Kind = network::NetworkOperation::Kind;
  const network::LayerGraph network = network::find_network(model.network, compiler::sizes_of(model));
  const std::vector<compiler::TensorInfo> tensors = compiler::model_tensors(model, network);
  double forward = 0;
  for (const network::NetworkOperation& op : network.operations) {
    if (op.kind == Kind::Attention) forward += static_cast<double>(model.hidden) * (model.seq + 1);
    if (op.kind != Kind::Linear) continue;
    const compiler::TensorInfo& weight = tensors[static_cast<std::size_t>(op.tensors.front())];
    const auto kept = mask.find(weight.name);
    forward += static_cast<double>(kept == mask.end() ? weight.size : std::ranges::count(kept->second, true));
  }
  return 3 * forward;
}

double share_of_lanes(const compiler::Plan& plan, double cycles) {
  const double tokens = static_cast<double>(plan.sequences()) * plan.model.seq;
  const double lanes = static_cast<double>(plan.wafer.all_rows()) * plan.wafer.cols * plan.wafer.lanes;
  return model_multiply_adds(plan.model, plan.mask) * tokens / (cycles * lanes);
}

}  // namespace weft::planning
