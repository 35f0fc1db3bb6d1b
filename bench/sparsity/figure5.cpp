/// Reproduces figure 5 of M. James, "Scaling Up and Out" (Cerebras, 2021): speed-up from sparsity, by the width of the
/// layer, on one wafer and on sixteen with the same batch. The speed-up is that of the ops of a transformer block:
/// dense over sparse cycles.
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

constexpr int kCluster = 16;  // wafers; also the sequences of a batch

/// A layer on a fixed mesh, so that a wide layer has more features per row. As many heads as rows; 2 columns, run in
/// lockstep. One wafer computes the batch in 4 micro-batches of 4 sequences; each of sixteen computes one sequence,
/// over both columns.
LayerShape layer_of(int hidden, int wafers) {
  LayerShape shape{.rows = 32, .cols = 2, .hidden = hidden, .heads = 32, .seq = 16, .sequences = 2};
  if (wafers == kCluster) shape.sequences = 1, shape.sequence_columns = 2;
  return shape;
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

/// Prints a row per width and sparsity.
void panel(int wafers) {
  for (int hidden = 64; hidden <= kWidest; hidden *= 2) {
    LayerCycles estimated_dense, counted_dense;
    for (const double sparsity : kSparsities) {
      const compiler::Plan plan = layer_plan(layer_of(hidden, wafers), sparsity);
      const LayerCycles estimated = estimated_layer_cycles(plan);
      if (sparsity == 0) estimated_dense = estimated;
      nlohmann::ordered_json rtl;  // null: not simulated
      if (hidden <= kWidestOnRtl) {
        const LayerCycles counted = rtl_layer_cycles(plan);
        if (sparsity == 0) counted_dense = counted;
        rtl = over(counted_dense, counted);
      }
      row("speed-up", {{"wafers", wafers},
                       {"width", hidden},
                       {"sparsity", sparsity},
                       {"tokens", plan.tokens_per_column},
                       {"estimate", over(estimated_dense, estimated)},
                       {"rtl", rtl}});
    }
  }
}

}  // namespace

void figure5() {
  const LayerShape s = layer_of(64, 1);
  heading(fmt::format(
      "figure5: cycles of a block's ops, dense over sparse, on {}x{} tiles, {} sequences of {} tokens on one "
      "wafer and on {}; estimate, and RTL up to width {}",
      s.rows, s.cols, kCluster, s.seq, kCluster, kWidestOnRtl));
  panel(1);
  panel(kCluster);
}

}  // namespace weft::bench
