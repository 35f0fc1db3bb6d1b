/// Reproduces figure 5 of M. James, "Scaling Up and Out" (Cerebras, 2021): speed-up from sparsity, by the width of the
/// layer. The speed-up is that of the ops of a transformer block: dense over sparse cycles.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/benches.hpp"
#include "bench/print.hpp"
#include "bench/sparsity/layer.hpp"
#include "host/planning/phases.hpp"

namespace weft::bench {
namespace {

constexpr double kSparsities[] = {0, 0.5, 0.75, 0.9, 0.95, 0.975, 0.99};
constexpr int kWidest = 2048, kWidestOnRtl = 512;

/// A layer on a fixed mesh, so that a wide layer has more features per row. As many heads as rows; 2 columns, run in
/// lockstep.
LayerShape layer_of(int hidden) {
  return {.rows = 32, .cols = 2, .hidden = hidden, .heads = 32, .seq = 16, .sequences = 2};
}

LayerCycles estimated_layer_cycles(const compiler::Plan& plan) {
  planning::CycleEstimate estimate(plan);
  std::vector<std::uint64_t> cycles;
  for (const compiler::Op& op : plan.ops) cycles.push_back(estimate.of(op).cycles);
  return layer_cycles(plan, cycles);
}

double over(const LayerCycles& dense, const LayerCycles& sparse) {
  return static_cast<double>(dense.all) / static_cast<double>(sparse.all);
}

}  // namespace

void figure5() {
  const LayerShape s = layer_of(64);
  heading(
      fmt::format("figure5: cycles of a block's ops, dense over sparse, on {}x{} tiles with {} tokens a column; "
                  "estimate, and RTL up to width {}",
                  s.rows, s.cols, s.seq * s.sequences, kWidestOnRtl));
  for (int hidden = 64; hidden <= kWidest; hidden *= 2) {
    LayerCycles estimated_dense, counted_dense;
    for (const double sparsity : kSparsities) {
      const compiler::Plan plan = layer_plan(layer_of(hidden), sparsity);
      const LayerCycles estimated = estimated_layer_cycles(plan);
      if (sparsity == 0) estimated_dense = estimated;
      nlohmann::ordered_json rtl;  // null: not simulated
      if (hidden <= kWidestOnRtl) {
        const LayerCycles counted = rtl_layer_cycles(plan);
        if (sparsity == 0) counted_dense = counted;
        rtl = over(counted_dense, counted);
      }
      row("speed-up",
          {{"width", hidden}, {"sparsity", sparsity}, {"estimate", over(estimated_dense, estimated)}, {"rtl", rtl}});
    }
  }
}

}  // namespace weft::bench
