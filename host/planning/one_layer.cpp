#include "host/planning/one_layer.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "host/config/keys/params_filter.hpp"
#include "host/memoryx/pruning.hpp"
#include "host/planning/estimate/traffic.hpp"
#include "host/planning/phases.hpp"
#include "sw/compiler/check/misfits.hpp"
#include "sw/compiler/memory/memory_plan.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::planning {
namespace {

/// Bytes of a tile's values that forward keeps for backward.
std::int64_t kept_bytes(const compiler::ModelShape& model, const machine::WaferShape& wafer) {
  const compiler::MemoryPlan plan(model, wafer, compiler::Spaces(model, wafer.rows));
  const auto kept = std::ranges::find(plan.uses, "kept for backward", &compiler::MemoryPlan::Use::name);
  return kept == plan.uses.end() ? 0 : 2 * kept->elements;
}

/// `phase`: with a star for the layer's number.
bool is_attention(const std::string& phase) {
  return phase == "h.*.attn" || phase == "h.*.attn.again" || phase == "h.*.attn.dx";
}

}  // namespace

config::Config with_one_layer(config::Config config) {
  config.model.layers = 1;
  return config;
}

machine::WaferShape wafer_of_one_layer(const compiler::ModelShape& model, machine::WaferShape wafer) {
  compiler::ModelShape one = model;
  one.layers = 1;
  const std::int64_t others = kept_bytes(model, wafer) - kept_bytes(one, wafer);
  if (others <= 0) return wafer;
  wafer.sram_kib -= static_cast<int>((others + 1023) / 1024);
  if (wafer.sram_kib < 1 || !compiler::misfits(one, wafer).empty()) ++wafer.sram_kib;
  return wafer;
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
    const std::string name = of_all_layers(op.name);
    const Phase phase = estimate.next(op);
    const auto times = static_cast<std::uint64_t>(name == op.name ? 1 : layers);
    cost.cycles += times * phase.cycles;
    cost.beats += times * phase.beats;
    if (is_attention(name)) cost.attention_beats += times * phase.beats;
  }
  return cost;
}

}  // namespace weft::planning
