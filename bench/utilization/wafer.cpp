// Multiply-adds at the rate of the vector unit on wafers whose columns hold few tokens
// (docs/explanation/short_vectors.md).
#include "verif/wafer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "bench/benches.hpp"
#include "bench/print.hpp"
#include "bench/utilization/slice.hpp"
#include "host/memoryx/pruning.hpp"
#include "host/planning/model_work.hpp"
#include "host/planning/phases.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "sw/compiler/stream/stream_counts.hpp"

namespace weft::bench {
namespace {

constexpr int kLanes = 4, kColumns = 2, kAgain = 2;
constexpr double kSparsity = 0.9;

/// Cycles of a phase's GEMMs, and the entries and beats that they compute.
struct Gemms {
  double cycles = 0, entries = 0, ideal = 0, weights = 0;

  void add(const Gemms& more) {
    cycles += more.cycles, entries += more.entries, ideal += more.ideal, weights += more.weights;
  }
  double beats() const { return cycles / entries; }
  double over_ideal() const { return cycles / ideal; }
};

bool is_gemm(const compiler::Op& op) {
  const compiler::StreamDescriptor& d = op.descriptor;
  return op.name.starts_with("h.") && !d.empty() && d.own.empty() &&
         d.values == compiler::StreamDescriptor::Values::Weights;
}

/// Weights of a GEMM without pads.
double weights_of(const compiler::StreamDescriptor& gemm) {
  compiler::StreamDescriptor alone = gemm;
  alone.interleave.reset();
  const compiler::StreamCounts counts(alone);
  return static_cast<double>(std::accumulate(counts.elements.begin(), counts.elements.end(), std::uint64_t{0}));
}

/// Cycles of an op that follows itself without a rest.
double streamed_cycles(Wafer& wafer, const std::vector<machine::Message>& messages) {
  const auto cycles = [&](int times) {
    const std::uint64_t before = wafer.counters().cycles;
    for (int k = 0; k < times; ++k) wafer.feed(messages);
    wafer.settle();
    return static_cast<double>(wafer.counters().cycles - before);
  };
  const double once = cycles(1);
  return (cycles(1 + kAgain) - once) / kAgain;
}

/// GEMMs of a model by phase, on the RTL.
std::map<std::string, Gemms> measure_gemms(const compiler::Plan& plan) {
  const auto wafer = make_rtl_wafer(plan.wafer);
  wafer->feed(plan.load);
  wafer->settle();
  std::map<std::string, Gemms> phases;
  std::vector<machine::Message> messages;
  const std::vector<float> parameters(plan.parameters, 0.01F);  // cycles do not depend on values
  for (const compiler::Op& op : plan.ops) {
    if (!is_gemm(op)) continue;
    compiler::expand(op, parameters, messages);
    const double outputs = op.descriptor.outputs->features(), weights = weights_of(op.descriptor);
    const double entries = outputs * plan.tokens_per_column / kLanes, n = weights / (outputs * plan.wafer.rows);
    phases[planning::of_all_layers(op.name)].add(
        {streamed_cycles(*wafer, messages), entries, entries * std::max(n + 2, 4.0), n * entries});
  }
  return phases;
}

compiler::Mask mask_of(const compiler::ModelShape& model) {
  compiler::Mask mask;
  for (const compiler::TensorInfo& tensor : compiler::model_tensors(model))
    if (tensor.name.starts_with("h.") && tensor.dims.size() == 2)
      mask[tensor.name] = memoryx::random_mask(tensor.name, tensor.size, kSparsity, 1);
  return mask;
}

/// GEMMs of a GPT-2 block with one sequence of `beats` beats per column. Dense GEMMs have 14 or 56 weights per row and
/// output; of the sparse ones some have 14.
std::map<std::string, Gemms> gemms(int rows, int beats, bool sparse) {
  const int hidden = (!sparse ? 14 : rows <= 8 ? 70 : 35) * rows, filter = (sparse ? 140 : 56) * rows;
  const compiler::ModelShape model{.vocab = 16,
                                   .hidden = hidden,
                                   .layers = 1,
                                   .heads = hidden / 7,
                                   .filter = filter,
                                   .seq = beats * kLanes,
                                   .micro_batch = kColumns};
  return measure_gemms(compiler::compile(model, {.rows = rows, .cols = kColumns, .sram_kib = 128, .valves = rows},
                                         sparse ? mask_of(model) : compiler::Mask{}));
}

/// The model that docs/explanation/short_vectors.md profiles: one beat per vector on 8x8 tiles.
void first_shape() {
  const compiler::ModelShape model{
      .vocab = 96, .hidden = 112, .layers = 1, .heads = 2, .filter = 448, .seq = 32, .micro_batch = 1};
  const machine::WaferShape wafer{.rows = 8, .cols = 8, .sram_kib = 128, .valves = 8, .sequence_columns = 8};
  Gemms all;
  for (const auto& [phase, one] : measure_gemms(compiler::compile(model, wafer))) all.add(one);
  goal("GEMMs, 8x8 tiles, 4 tokens a column, 112 features", all.weights / all.cycles, "of the lanes", 0.75);
}

/// A slice of GPT-3 XL on `tiles` x `tiles` tiles.
void slice_line(int tiles) {
  const compiler::Plan plan = xl_slice(tiles, tiles);
  const SliceCycles cycles = slice_cycles(plan);
  const double share = planning::share_of_lanes(plan, cycles.rtl),
               estimated = planning::share_of_lanes(plan, cycles.estimated);
  row("slice", {{"tiles", fmt::format("{0}x{0}", tiles)},
                {"row_groups", plan.wafer.row_groups},
                {"hidden", plan.model.hidden},
                {"filter", plan.model.filter},
                {"seq", plan.model.seq},
                {"tokens_of_column", plan.tokens_per_column},
                {"cycles", cycles.rtl},
                {"estimated_cycles", cycles.estimated},
                {"share_of_lanes", share},
                {"estimated_share", estimated}});
  goal(fmt::format("slice of XL, {0}x{0} tiles, {1} groups of rows", tiles, plan.wafer.row_groups), share,
       fmt::format("of the lanes by the model's own multiply-adds; estimated {:.3f}", estimated), 0.45);
}

}  // namespace

void wafer() {
  heading("wafer: share of the lanes that GEMMs use with one beat a vector; RTL");
  first_shape();
  heading("wafer: share of the lanes that a slice of GPT-3 XL uses; RTL");
  slice_line(16);
  heading("wafer: beats per entry of GEMMs with n weights a row and output, over max(n + 2, 4); RTL, a valve a row");
  text(fmt::format("  {:>4} {:>5} {:>9} | {:>8} {:>8} | {:>8} {}\n", "rows", "beats", "sparsity", "beats", "over",
                   "the most", "phase"));
  for (const int rows : {4, 8, 16, 32})
    for (const int beats : {1, 2, 3, 5, 8})
      for (const bool sparse : {false, true}) {
        Gemms all;
        double most = 0;
        std::string where;
        for (const auto& [phase, one] : gemms(rows, beats, sparse)) {
          all.add(one);
          if (one.over_ideal() > most) most = one.over_ideal(), where = phase;
          point(fmt::format("{} rows, {} beats, {:.0f} % sparse, {}", rows, beats, sparse ? 100 * kSparsity : 0, phase),
                one.over_ideal(), "of max(n + 2, 4)");
        }
        text(fmt::format("  {:>4} {:>5} {:>9} | {:>8.2f} {:>8.3f} | {:>8.3f} {}\n", rows, beats,
                         sparse ? fmt::format("{}", kSparsity) : "dense", all.beats(), all.over_ideal(), most, where));
        limit(fmt::format("GEMMs, {} rows, {} beat{} a vector, {}", rows, beats, beats == 1 ? "" : "s",
                          sparse ? "90 % sparse" : "dense"),
              all.over_ideal(), "of max(n + 2, 4) beats", 1.05);
      }
}

void slice() {
  heading("slice: share of the lanes that a layer of GPT-3 XL uses, with the mapping of 850 x 1000 tiles; RTL");
  for (const int tiles : {16, 32}) slice_line(tiles);
}

}  // namespace weft::bench
